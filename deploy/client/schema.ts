// Made of the API's document by `npm run client`.
export interface paths {
  "/admin/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List audit log
     * @description Returns the entries that the key can see, oldest first, or newest first with `order=newest`. The gateway keeps about 100,000 entries. Use `next` only with the same `order`.
     *
     *     Requires a key with the role `admin`, `tenant` or `read`.
     */
    get: operations["adminListAudit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream events
     * @description Server-sent events: `session`, `code` and `deliveries` of sessions, `slots` and `load` of shards, `member`, `rotation` and `missed`, and finally `end` with a `reason`. A tenant's key receives events of its own sessions only. `code`, `deliveries`, `load` and `rotation` come at most once per second for each session, shard or rotation. A comment every 5 s shows that the stream is current; it is missing while the router cannot read Redis. To resume, send the last id in `Last-Event-ID`.
     *
     *     Requires a key with the role `admin`, `tenant` or `read`.
     */
    get: operations["adminStreamEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/keyring": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List encryption keys
     * @description Returns the names of the keys, the processes with each key, the records that still need old keys, and the progress of a rotation.
     *
     *     Requires a key with the role `admin`.
     */
    get: operations["adminGetKeyring"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/keyring/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate encryption key
     * @description Encrypts new records with this key and re-encrypts existing records.
     *
     *     Requires a key with the role `admin`.
     */
    post: operations["adminRotateKeyring"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description Returns keys in order of creation, without the secret values.
     *
     *     Requires a key with the role `admin`.
     */
    get: operations["adminListKeys"];
    put?: never;
    /**
     * Create an API key
     * @description Store the key: no other response shows it. All routers accept it at once. Sessions created with the key use its `proxy` instead of the tenant's, unless `POST /session` sets another proxy.
     *
     *     Requires a key with the role `admin`.
     */
    post: operations["adminCreateKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description All routers reject the key within a second.
     *
     *     Requires a key with the role `admin`.
     */
    delete: operations["adminDeleteKey"];
    options?: never;
    head?: never;
    /**
     * Update an API key
     * @description Sets the proxy of sessions created with this key from now on. All routers apply the change within a second. Existing sessions keep their proxy; change it with `PUT /admin/sessions/{id}/proxy`. Responses never include the proxy's login.
     *
     *     Requires a key with the role `admin`.
     */
    patch: operations["adminChangeKey"];
    trace?: never;
  };
  "/admin/members": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List processes
     * @description Returns all shards, and all routers and supervisors that reported in the last 15 s, with their load.
     *
     *     Requires a key with the role `admin` or `read`.
     */
    get: operations["adminListMembers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/members/{name}/drain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Drain shard
     * @description Moves all slots off the shard, a few at a time. The shard gets no slots until you undrain it.
     *
     *     Requires a key with the role `admin`.
     */
    post: operations["adminDrainMember"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/members/{name}/undrain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Undrain shard
     * @description Undrain shard.
     *
     *     Requires a key with the role `admin`.
     */
    post: operations["adminUndrainMember"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get current key
     * @description Returns the role, the tenant and the allowed actions of the key in `x-api-key`.
     *
     *     Requires a key with the role `admin`, `tenant`, `create` or `read`.
     */
    get: operations["adminGetSelf"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List sessions
     * @description Returns the sessions that the key can see and that match all filters. A page can have fewer rows than `limit`, or none, and still have a next page. With `Accept: application/x-ndjson` you get all sessions without pages, one per line.
     *
     *     Requires a key with the role `admin`, `tenant` or `read`.
     */
    get: operations["adminListSessions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a session
     * @description Get a session.
     *
     *     Requires a key with the role `admin`, `tenant` or `read`.
     */
    get: operations["adminGetSession"];
    put?: never;
    post?: never;
    /**
     * Delete a session
     * @description Logs the account out and deletes all stored data. You cannot restore the session.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    delete: operations["adminDeleteSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/dead-letters": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List failed events
     * @description Returns events that the webhook receiver did not accept, in order of failure. The gateway keeps up to 1,000 per session for 7 days.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    get: operations["adminListDeadLetters"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/dead-letters/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay failed events
     * @description Appends all failed events of the session to the webhook queue, in their order, with the same ids and bodies.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminReplayDeadLetters"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/move": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move a session to a shard
     * @description Moves the session's slot with all of its sessions, and pins the slot to the shard until you unpin it. A key with the role `tenant` can move 10 slots per hour.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminMoveSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/proxy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set session proxy
     * @description Replaces the proxy of the tenant or of the key that created the session. The session finishes running work for up to 5 seconds and reconnects through the proxy 2 seconds later. If the connection was lost, it reconnects when the platform has dropped the old connection (Telegram: 45 seconds). Calls wait for up to 10 seconds meanwhile. The account stays linked. Setting the current proxy again changes nothing. Responses never include the proxy's login.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    put: operations["adminSetProxy"];
    post?: never;
    /**
     * Remove session proxy
     * @description Removes the session's own proxy, or the proxy of the key that created it. The session then reconnects through its tenant's proxy, or directly.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    delete: operations["adminRemoveProxy"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/restart": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restart a session
     * @description Disconnects and reconnects the session. The account stays linked.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminRestartSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/undelete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a session
     * @description Restores a session that a timer deleted in the last 24 hours, with its login, webhook and pending events. You cannot restore a session that its owner deleted.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminUndeleteSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/webhook/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Retry webhook now
     * @description Sends the oldest pending event at once instead of waiting for its next retry. The other events follow after a success. The attempt counts as a retry. If the gateway paused the receiver after 20 failures, it waits for the end of the pause of 30 s.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminRetryWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/{id}/webhook/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event
     * @description Appends an event of the type `test` to the webhook queue. The gateway signs and retries it like any other event.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminSendTestEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sessions/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run a bulk action
     * @description Runs the action on each session, eight at a time, and sends one line when a session is done: `{id, status, outcome}` or `{id, status, message}`. If the client disconnects, the gateway starts no further sessions.
     *
     *     Requires a key with the role `admin` or `tenant`.
     */
    post: operations["adminChangeSessions"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/sign-in": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with a one-time code
     * @description Exchanges the code from the link that `npm start` prints for an admin key, valid for 12 hours. A wrong code counts as a failed attempt, like a wrong key.
     */
    post: operations["adminSignIn"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/slots": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List slots
     * @description Returns the owner and the pin of every slot, in the order of their numbers.
     *
     *     Requires a key with the role `admin` or `read`.
     */
    get: operations["adminListSlots"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/slots/{slot}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a slot
     * @description Returns the owner, the pin and the number of sessions of the slot.
     *
     *     Requires a key with the role `admin` or `read`.
     */
    get: operations["adminGetSlot"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/slots/{slot}/pin": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Pin a slot to a shard
     * @description Assigns the slot to the shard whenever the shard is active and not drained.
     *
     *     Requires a key with the role `admin`.
     */
    put: operations["adminPinSlot"];
    post?: never;
    /**
     * Unpin a slot
     * @description Removes the pin. The cluster chooses the shard again.
     *
     *     Requires a key with the role `admin`.
     */
    delete: operations["adminUnpinSlot"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/tenants": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List tenants
     * @description List tenants.
     *
     *     Requires a key with the role `admin`.
     */
    get: operations["adminListTenants"];
    put?: never;
    /**
     * Create a tenant
     * @description Create a tenant.
     *
     *     Requires a key with the role `admin`.
     */
    post: operations["adminCreateTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/tenants/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a tenant
     * @description Get a tenant.
     *
     *     Requires a key with the role `admin`.
     */
    get: operations["adminGetTenant"];
    put?: never;
    post?: never;
    /**
     * Delete a tenant
     * @description Deletes the tenant and its keys. The tenant must not have sessions.
     *
     *     Requires a key with the role `admin`.
     */
    delete: operations["adminDeleteTenant"];
    options?: never;
    head?: never;
    /**
     * Update a tenant
     * @description Changes the fields in the body and keeps the others. A quota below current use affects new requests only. A new pace also applies to waiting messages; a message that would wait too long gets 429. With a new proxy the tenant's sessions reconnect, as many at once as a shard allows. Responses never include the proxy's login.
     *
     *     Requires a key with the role `admin`.
     */
    patch: operations["adminChangeTenant"];
    trace?: never;
  };
  "/telegram/channel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List channels
     * @description Returns all channels that the account follows or manages, without groups.
     */
    get: operations["telegramListChannels"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/channel/{channelId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a channel
     * @description Returns a channel that the account follows.
     */
    get: operations["telegramGetChannel"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/channel/message": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the messages of a channel
     * @description Returns the newest messages first, with media as signed links. For the next page, pass the last `id` as `before`.
     */
    get: operations["telegramListChannelMessages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/chat": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List chats
     * @description Returns the account's chats, the one with the newest message first, with archived and pinned chats in their places. For the next page, pass `next` as `after`.
     */
    get: operations["telegramListChats"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/chat/message": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the messages of a chat
     * @description Returns the messages of a person, group or channel, newest first, as the event `message.new` shows them. For older messages, pass `next` as `before`.
     */
    get: operations["telegramListChatMessages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/contact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List contacts
     * @description Returns the account's contacts in the order of their ids. For the next page, pass `next` as `after`.
     */
    get: operations["telegramListContacts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/group": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List groups
     * @description Returns all groups of the account. The gateway fetches descriptions and photos one by one, so the first response is slow for many groups.
     */
    get: operations["telegramListGroups"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/group/{groupId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a group
     * @description Get a group.
     */
    get: operations["telegramGetGroup"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/group/member": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the members of a group
     * @description Returns up to 10,000 members. If a group hides its members, only its administrators can list them.
     */
    get: operations["telegramListGroupMembers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a media file
     * @description Take the link from `url` or `thumbnail` of a message or event, and use it unchanged. The link is signed, so the request needs no credentials. Anyone with the link can open the file until its message is deleted.
     */
    get: operations["telegramGetMedia"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message
     * @description Responds when the platform has accepted the message. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice.
     */
    post: operations["telegramSendMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/{messageId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a message
     * @description Deletes a message of the chat for everybody. Name the chat in the query, with the recipient fields of `POST /message`. Responds when the platform has accepted the deletion.
     */
    delete: operations["telegramDeleteMessage"];
    options?: never;
    head?: never;
    /**
     * Edit a message
     * @description Replaces the text of a message of the account. Responds when the platform has accepted the edit.
     */
    patch: operations["telegramEditMessage"];
    trace?: never;
  };
  "/telegram/message/album": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an album
     * @description Sends 2 to 10 pictures and videos, which recipients see as one album. Nothing is sent until all files are uploaded. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice. Rejects fields that it does not know.
     */
    post: operations["telegramSendAlbum"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/forward": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Forward a message
     * @description Forwards the message of an event to another chat, with its file and the name of its author. Rejects fields that it does not know.
     */
    post: operations["telegramForwardMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/poll": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a poll
     * @description People choose one option, or several if `multiple` is true. Rejects fields that it does not know.
     */
    post: operations["telegramSendPoll"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/reaction": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * React to a message
     * @description Sets the account's reaction to a message of the chat, instead of its former one. An empty `emoji` removes the reaction. Responds when the platform has accepted it.
     */
    post: operations["telegramSendReaction"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark a message as read
     * @description Marks the chat as read up to this message, so that the other person sees it as read.
     */
    post: operations["telegramReadMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/sticker": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a sticker
     * @description The gateway converts the picture to WebP of 512 x 512 pixels. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice. Rejects fields that it does not know.
     */
    post: operations["telegramSendSticker"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/message/voice": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a voice message
     * @description The file must be Ogg with Opus, because both platforms play it as a voice message. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice. Rejects fields that it does not know.
     */
    post: operations["telegramSendVoice"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/phone": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look up phone numbers
     * @description Returns which numbers have a Telegram account that this account may find, one entry for each number in the order of the request. Nobody is added to the account's contacts. The gateway looks up one new number in 3 seconds, so a request for 50 takes two and a half minutes. Platforms restrict accounts that look up many numbers, so the session's pace limits look-ups: each number counts like a message, apart from messages. Too many give 429 with `Retry-After`.
     */
    get: operations["telegramLookUpPhones"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a session
     * @description Works before the session is connected. While you wait for a scan, poll every 2 to 3 seconds. Stop when `isConnected` or `isPasswordRequired` is true. To display the code, put `data:image/png;base64,` before `qrcode`.
     */
    get: operations["telegramGetSession"];
    put?: never;
    /**
     * Create a session
     * @description Creates a session for one account and starts its login. Poll `GET /session` for `qrcode` until `isConnected` or `isPasswordRequired` is true. The gateway deletes the session if the login does not complete within 3 minutes.
     */
    post: operations["telegramCreateSession"];
    /**
     * Delete a session
     * @description Logs the account out and deletes all stored data. Later requests with this `id` and its media links get 404.
     */
    delete: operations["telegramDeleteSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/session/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Submit two-step password
     * @description Call this while `isPasswordRequired` is true. On success the session is connected. You have five attempts per hour. After 30 minutes without an attempt the gateway deletes the session.
     */
    post: operations["telegramSubmitPassword"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/session/reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reset a session
     * @description Logs the account out and starts a new login. The session keeps its id. The new QR code is valid for 3 minutes.
     */
    post: operations["telegramResetSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/session/webhook": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set webhook
     * @description The gateway sends the events of the session to this URL: those of private chats, or the types in `events`. To turn the webhook off, send an empty `url` and an empty `token`. If you change the URL or the token, pending events go to the new receiver. You can set the webhook before the login.
     */
    put: operations["telegramSetWebhook"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Post a story
     * @description Posts a story on the account's profile. Telegram has no text stories, so the gateway draws a text on a picture. Telegram does not detect duplicate stories, so the gateway never retries a story whose response was lost.
     */
    post: operations["telegramPostStatus"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/telegram/typing": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send typing indicator
     * @description Shows the recipient that the account is typing. The platform hides the indicator after 6 seconds.
     */
    post: operations["telegramSendTyping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/channel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List channels
     * @description Returns all channels that the account follows or manages.
     */
    get: operations["whatsappListChannels"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/channel/{channelId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a channel
     * @description Get a channel.
     */
    get: operations["whatsappGetChannel"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/channel/message": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the messages of a channel
     * @description Returns the newest messages first. For the next page, pass the last `id` as `before`.
     */
    get: operations["whatsappListChannelMessages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/chat": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List chats
     * @description Returns the chats of these messages, the one with the newest message first. WhatsApp keeps no history on its servers. The gateway keeps the newest messages of the session since it was linked, 200 by default, with their edits and deletions. For the next page, pass `next` as `after`.
     */
    get: operations["whatsappListChats"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/chat/message": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the messages of a chat
     * @description Returns the messages of a person, group or channel, newest first, as the event `message.new` shows them. WhatsApp keeps no history on its servers. The gateway keeps the newest messages of the session since it was linked, 200 by default, with their edits and deletions. A chat without such messages gives an empty page. For older messages, pass `next` as `before`.
     */
    get: operations["whatsappListChatMessages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/contact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List contacts
     * @description Returns the address book of the account's phone, in the order of the ids. For the next page, pass `next` as `after`.
     */
    get: operations["whatsappListContacts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/group": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List groups
     * @description Returns all groups of the account. The gateway fetches pictures one by one, so the response is slow for many groups.
     */
    get: operations["whatsappListGroups"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/group/{groupId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a group
     * @description Get a group.
     */
    get: operations["whatsappGetGroup"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/group/member": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the members of a group
     * @description List the members of a group.
     */
    get: operations["whatsappListGroupMembers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a media file
     * @description Take the link from `url` or `thumbnail` of a message or event, and use it unchanged. The link is signed, so the request needs no credentials. Anyone with the link can open the file until the session is deleted. If WhatsApp no longer has the file, the account's phone must be online to upload it again.
     */
    get: operations["whatsappGetMedia"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message
     * @description Responds when the platform's server has accepted the message. This does not confirm delivery. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice.
     */
    post: operations["whatsappSendMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/{messageId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a message
     * @description Deletes a message of the chat for everybody. Name the chat in the query, with the recipient fields of `POST /message`. Responds when the platform has accepted the deletion.
     */
    delete: operations["whatsappDeleteMessage"];
    options?: never;
    head?: never;
    /**
     * Edit a message
     * @description Replaces the text of a message of the account. Responds when the platform has accepted the edit.
     */
    patch: operations["whatsappEditMessage"];
    trace?: never;
  };
  "/whatsapp/message/album": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an album
     * @description Sends 2 to 10 pictures and videos, which recipients see as one album. Nothing is sent until all files are uploaded. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice. Rejects fields that it does not know.
     */
    post: operations["whatsappSendAlbum"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/forward": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Forward a message
     * @description Sends the message of an event to another chat, marked as forwarded. The `ref` holds the text or the file's place and key, so the gateway downloads nothing. Rejects fields that it does not know.
     */
    post: operations["whatsappForwardMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/poll": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a poll
     * @description People choose one option, or several if `multiple` is true. Rejects fields that it does not know.
     */
    post: operations["whatsappSendPoll"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/reaction": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * React to a message
     * @description Sets the account's reaction to a message of the chat, instead of its former one. An empty `emoji` removes the reaction. Responds when the platform has accepted it.
     */
    post: operations["whatsappSendReaction"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark a message as read
     * @description Tells the author that the account has read the message, unless the privacy settings of the account keep that from other people. In a channel it counts as a view.
     */
    post: operations["whatsappReadMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/sticker": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a sticker
     * @description The gateway converts the picture to WebP of 512 x 512 pixels. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice. Rejects fields that it does not know.
     */
    post: operations["whatsappSendSticker"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/message/voice": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a voice message
     * @description The file must be Ogg with Opus, because both platforms play it as a voice message. The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice. Rejects fields that it does not know.
     */
    post: operations["whatsappSendVoice"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/phone": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look up phone numbers
     * @description Returns which numbers have a WhatsApp account, one entry for each number in the order of the request. Platforms restrict accounts that look up many numbers, so the session's pace limits look-ups: each number counts like a message, apart from messages. Too many give 429 with `Retry-After`.
     */
    get: operations["whatsappLookUpPhones"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a session
     * @description Works before the session is connected. While you wait for a scan, poll every 2 to 3 seconds. Stop when `isConnected` is true.
     */
    get: operations["whatsappGetSession"];
    put?: never;
    /**
     * Create a session
     * @description Creates a session for one account and starts its login. Poll `GET /session` for `qrcode` or `pairingCode` until `isConnected` is true. The gateway deletes the session if the login does not complete within 3 minutes.
     */
    post: operations["whatsappCreateSession"];
    /**
     * Delete a session
     * @description Logs the account out and deletes all stored data. Later requests with this `id` get 404.
     */
    delete: operations["whatsappDeleteSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/session/passkey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get passkey status
     * @description WhatsApp requests the passkey of some accounts after a scan or a pairing code. The account's owner then has 10 minutes to sign `options` in a browser, on a page of `https://web.whatsapp.com`. The page `/passkey` of this gateway guides the owner and needs only `token`. Poll every 2 to 3 seconds until `state` is `done` or `failed`.
     */
    get: operations["whatsappGetPasskey"];
    put?: never;
    /**
     * Submit passkey
     * @description Send the result of `PublicKeyCredential.toJSON()` for `options`. The gateway validates the credential before it sends anything. A success means that the platform accepted the credential; poll `GET /session/passkey` to see whether the phone links the device.
     */
    post: operations["whatsappSubmitPasskey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/session/passkey/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm passkey code
     * @description Call this only while `state` is `confirm`, which happens when the passkey took longer than 5 minutes. First compare `code` with the code on the phone: equal codes rule out an attacker in between.
     */
    post: operations["whatsappConfirmPasskey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/session/reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reset a session
     * @description Logs the account out and starts a new login. The session keeps its id. The new QR code is valid for 3 minutes.
     */
    post: operations["whatsappResetSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/session/webhook": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set webhook
     * @description The gateway sends the events of the session to this URL: those of private chats, or the types in `events`. To turn the webhook off, send an empty `url` and an empty `token`. If you change the URL or the token, pending events go to the new receiver. You can set the webhook before the login.
     */
    put: operations["whatsappSetWebhook"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Post a status
     * @description The privacy setting on the account's phone decides the audience. Only people with the account's number in their contacts see the status. A text has a dark green background. The gateway compresses pictures and adds missing video thumbnails.
     */
    post: operations["whatsappPostStatus"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/whatsapp/typing": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send typing indicator
     * @description Shows the recipient "typing…" for 5 seconds.
     */
    post: operations["whatsappSendTyping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  "message.deleted": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Messages deleted
     * @description Messages deleted. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onDeletedMessagesEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "message.edited": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message edited
     * @description Message edited. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onEditedMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "message.new": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message received, or sent from another device of the account
     * @description Message received, or sent from another device of the account. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onNewMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "message.read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Messages read
     * @description Messages read. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onReadMessagesEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "session.expiring": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Session will be deleted in 30 or 5 minutes
     * @description Session will be deleted in 30 or 5 minutes. The gateway sends this event if `events` of `PUT /session/webhook` lists `session.expiring`: at least once, and in order for each session.
     */
    post: operations["onSessionExpiringEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "session.state": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Session connected, disconnected, waiting for a person, or deleted
     * @description Session connected, disconnected, waiting for a person, or deleted. The gateway sends this event if `events` of `PUT /session/webhook` lists `session.state`: at least once, and in order for each session.
     */
    post: operations["onSessionStateEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  test: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Test event requested
     * @description Test event requested. The gateway sends test events whatever `events` lists.
     */
    post: operations["onTestEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.call.offered": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Call received
     * @description Call received. The gateway sends this event if `events` of `PUT /session/webhook` lists `call.offered`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppCallEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.channel.message.new": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message posted in a channel
     * @description Message posted in a channel. The gateway sends this event if `events` of `PUT /session/webhook` lists `channel.message.new`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppNewChannelMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.group.changed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Group or its members changed
     * @description Group or its members changed. The gateway sends this event if `events` of `PUT /session/webhook` lists `group.changed`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppChangedGroupEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.group.message.deleted": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Messages deleted in a group
     * @description Messages deleted in a group. The gateway sends this event if `events` of `PUT /session/webhook` lists `group.message.deleted`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppDeletedGroupMessagesEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.group.message.edited": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message edited in a group
     * @description Message edited in a group. The gateway sends this event if `events` of `PUT /session/webhook` lists `group.message.edited`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppEditedGroupMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.group.message.new": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message received in a group
     * @description Message received in a group. The gateway sends this event if `events` of `PUT /session/webhook` lists `group.message.new`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppNewGroupMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.deleted": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Messages deleted for everyone
     * @description Messages deleted for everyone. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppDeletedMessagesEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.delivered": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Messages of the account delivered to a device
     * @description Messages of the account delivered to a device. The gateway sends this event if `events` of `PUT /session/webhook` lists `message.delivered`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppDeliveredMessagesEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.edited": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message edited
     * @description Message edited. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppEditedMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.failed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message refused by the platform after it had accepted it
     * @description Message refused by the platform after it had accepted it. The gateway sends this event if `events` of `PUT /session/webhook` lists `message.failed`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppFailedMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.new": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Message received, or sent from another device of the account
     * @description Message received, or sent from another device of the account. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppNewMessageEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.reaction": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reaction added, changed or removed
     * @description Reaction added, changed or removed. The gateway sends this event if `events` of `PUT /session/webhook` lists `message.reaction`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppReactionEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "whatsapp.message.read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Messages read
     * @description Messages read. The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.
     */
    post: operations["onWhatsAppReadMessagesEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /**
     * @description Action that a key allows. `use-session`: all calls of a session, without its secret. `read-session` and `operate-session`: operators'
     *     calls that read or change one session. `administer`: tenants, keys and the cluster. `read-self`: the key itself.
     * @enum {string}
     */
    Action: "read-self" | "create-session" | "use-session" | "read-session" | "operate-session" | "read-members" | "administer";
    /** @description The new active encryption key. */
    ActiveKeyForm: {
      /**
       * @description Name of the new active key: one letter or digit, present in `CRED_KEYS` of every process.
       * @example b
       */
      key: string;
    };
    /** @description Returned when the platform's server has accepted every message of the album. */
    AlbumOutput: {
      /** @description Ids of the messages, in the order of the album. One is empty on Telegram if the platform accepted it without returning an id. */
      messageIds: string[];
    };
    /** @description An API key without its secret value. */
    ApiKey: {
      /**
       * @description Time of creation.
       * @example 2026-11-21T14:27:39.000Z
       */
      readonly created: components["schemas"]["Instant"];
      /** @description Expiry time. `null`: valid until revoked. */
      readonly expires: null | components["schemas"]["Instant"];
      /**
       * @description Id of the key, 20 hex digits. Not secret: the audit log contains it.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly id: string;
      /**
       * @description Label of the key.
       * @example shop backend
       */
      readonly label: string;
      /** @description Time of last use, accurate to about a minute. `null` if never used. */
      readonly lastUsed: null | components["schemas"]["Instant"];
      /**
       * @description Proxy of sessions created with the key, without its login. `null`: the tenant's proxy, or none.
       * @example http://***@proxy.example.com:3128
       */
      readonly proxy: string | null;
      /**
       * @description Role of the key.
       * @example tenant
       * @enum {string}
       */
      readonly role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Tenant of the key. `null` for the role `admin`.
       * @example acme
       */
      readonly tenant: string | null;
    };
    /** @description An audio file. It arrives as a regular file, never as a voice message. */
    AudioForm: {
      /**
       * @description Length in seconds, greater than 0. Rounded up to whole seconds.
       * @example 7
       */
      duration: number;
      /**
       * @description Media type of the file, such as `audio/mpeg`.
       * @example audio/mpeg
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public, direct URL of the file. MP3 works everywhere.
       * @example https://example.com/jingle.mp3
       */
      url: components["schemas"]["Url"];
    };
    /** @description One entry of the audit log. It contains no secrets, phone numbers or message texts. */
    AuditRow: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      readonly at: components["schemas"]["Instant"];
      /**
       * @description Number of requests. Repeated reads and failures of a key within a minute share one entry after the first. For takeovers: the number
       *     of slots.
       * @example 1
       */
      readonly count: number;
      /**
       * @description Address of the caller (IPv6: the first 64 bits). For `cluster`: the shard that acted.
       * @example 192.0.2.7
       */
      readonly from: string;
      /**
       * @description `x-request-id` of the response. Empty if the entry is not about one request.
       * @example 4bf92f3577b34da6a3ce929d0e0e4736
       */
      readonly requestId: string;
      /**
       * @description Id of the session. Empty if the entry concerns no session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      readonly session: string;
      /**
       * @description For takeovers: the number of sessions in the slots.
       * @example 410
       */
      readonly sessions?: number;
      /**
       * @description HTTP status of the response. 0 if the caller disconnected first. 200 for `cluster`.
       * @example 201
       */
      readonly status: number;
      /**
       * @description Target of an operator's call: the path after `/admin/`, or the created object, such as `tenants/acme`. Failed calls have a target
       *     only if it is a well-formed id or name. For `cluster`: the shard that died, or why a session was deleted.
       * @example shard-2
       */
      readonly target: string;
      /**
       * @description Tenant of the session, key or quotas that changed, else of the caller's key. Empty if the entry concerns no tenant, or all.
       * @example acme
       */
      readonly tenant: string;
      /**
       * @description Action: the name of the call, such as `create-session`, or `failed-authentication`, `refused-call`, `take-over` or
       *     `expire-session`.
       * @example create-session
       */
      readonly what: string;
      /**
       * @description Id of the API key. `session`: a caller with the secret of a session. `local`: a local caller while no key is configured. `unknown`:
       *     a failed attempt. `cluster`: an automatic action of a shard.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly who: string;
    };
    /** @description Error for one session. */
    BulkFailure: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      readonly id: string;
      /**
       * @description Error message of the single call.
       * @example session not found
       */
      readonly message: string;
      /**
       * @description HTTP status of the single call.
       * @example 404
       */
      readonly status: number;
    };
    /** @description An action for many sessions. */
    BulkForm: {
      /**
       * @description Action for each session.
       * @example restart
       * @enum {string}
       */
      action: "delete" | "restart" | "move" | "undelete";
      /** @description 1 to 1,000 session ids. Duplicates count once. */
      ids: string[];
      /**
       * @description Destination shard. Only for `move`.
       * @example shard-2
       */
      member?: string;
    };
    /** @description Result for one session. */
    BulkResult: components["schemas"]["BulkSuccess"] | components["schemas"]["BulkFailure"];
    /** @description Success for one session. */
    BulkSuccess: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      readonly id: string;
      /** @description Response of the single call. */
      readonly outcome: unknown;
      /**
       * @description HTTP status of the single call.
       * @example 200
       */
      readonly status: number;
    };
    /** @description Returned when the platform has accepted the change of a message. */
    ChangedMessage: {
      /**
       * @description Id of the changed message, as the request names it.
       * @example 3EB0C431C26A1916E07A
       */
      messageId: string;
    };
    /** @description A change of a group. */
    ChangedWhatsAppGroup: {
      /** @description Person who made the change. Its `id` is empty if the platform does not say. */
      author: components["schemas"]["WhatsAppChat"];
      /**
       * @description What changed, in the platform's word: `add`, `remove`, `promote`, `demote`, `leave`, `subject`, `description`, and others.
       * @example add
       */
      change: string;
      /** @description The group. */
      chat: components["schemas"]["WhatsAppChat"];
      /** @description JIDs of the members that the change is about. */
      members: string[];
      /**
       * @description New value, such as the subject. Empty if there is none.
       * @example
       */
      value: string;
    };
    /**
     * @description Kind of a chat.
     * @enum {string}
     */
    ChatKind: "person" | "group" | "channel";
    /** @description One message of any chat, in the form of the event `message.new`. */
    ChatMessage: {
      /**
       * @description Same value in all messages of one album. Empty outside of albums.
       * @example
       */
      albumId: string;
      /**
       * @description True for GIFs and videos without sound that play automatically in a loop.
       * @example false
       */
      animation: boolean;
      /** @description Sender. Present in groups. */
      author?: components["schemas"]["Person"];
      /** @description Other person in the chat. */
      chat: components["schemas"]["Person"];
      /** @description Present when `type` is `contact`. */
      contact?: components["schemas"]["MessageContact"];
      /**
       * @description Time of the message.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Length of audio or video in seconds. 0 otherwise.
       * @example 0
       */
      duration: number;
      /**
       * @description Time of the last edit, in ISO 8601. Empty if never edited.
       * @example
       */
      edited: string;
      /** @description Formatting, links and mentions in `text`, in the platform's order. May be empty. */
      entities: components["schemas"]["TextEntity"][];
      /**
       * @description True if the account sent the message from another device.
       * @example false
       */
      fromMe: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 0
       */
      height: components["schemas"]["Count"];
      /**
       * @description Number of the message within the account.
       * @example 301
       */
      id: string;
      /** @description Present when `type` is `location`. */
      location?: components["schemas"]["MessageLocation"];
      /**
       * @description Media type of the file. Empty without a file.
       * @example
       */
      mimetype: string;
      /**
       * @description File name of a document. Empty otherwise.
       * @example
       */
      name: string;
      /**
       * @description Performer of audio. Empty if unknown.
       * @example
       */
      performer: string;
      /**
       * @description Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored.
       * @example aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw
       */
      ref?: string;
      /**
       * @description Id of the message that this message replies to. Empty otherwise.
       * @example 300
       */
      replyTo: string;
      /**
       * @description True for round video messages.
       * @example false
       */
      round: boolean;
      /**
       * @description Size of the file at `url` in bytes. 0 without media.
       * @example 0
       */
      size: components["schemas"]["Count"];
      /**
       * @description Text or caption. Empty if there is none.
       * @example Hello 👋, see the list
       */
      text: string;
      /**
       * @description Signed link to the thumbnail. Empty if there is none.
       * @example
       */
      thumbnail: string;
      /**
       * @description Title of audio. Empty if unknown.
       * @example
       */
      title: string;
      /**
       * @description Type of the content.
       * @example location
       * @enum {string}
       */
      type: "image" | "video" | "audio" | "document" | "sticker" | "text" | "location" | "contact" | "other";
      /**
       * @description Signed link to the file. Empty without media.
       * @example
       */
      url: string;
      /**
       * @description True for voice messages.
       * @example false
       */
      voice: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 0
       */
      width: components["schemas"]["Count"];
    };
    /** @description Name and phone number of a contact. */
    ContactForm: {
      /**
       * @description Name, at most 255 bytes.
       * @example Carol
       */
      name: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway sends it unchanged.
       * @example 15550100003
       */
      phone: string;
    };
    /** @description A whole number, 0 or more. */
    Count: number;
    /** @description A new API key. */
    CreatedKey: {
      /**
       * @description Time of creation.
       * @example 2026-11-21T14:27:39.000Z
       */
      readonly created: components["schemas"]["Instant"];
      /** @description Expiry time. `null`: valid until revoked. */
      readonly expires: null | components["schemas"]["Instant"];
      /**
       * @description Id of the key, 20 hex digits. Not secret: the audit log contains it.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly id: string;
      /**
       * @description Secret value for the header `x-api-key`. No other response shows it.
       * @example tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      readonly key: string;
      /**
       * @description Label of the key.
       * @example shop backend
       */
      readonly label: string;
      /** @description Time of last use, accurate to about a minute. `null` if never used. */
      readonly lastUsed: null | components["schemas"]["Instant"];
      /**
       * @description Proxy of sessions created with the key, without its login. `null`: the tenant's proxy, or none.
       * @example http://***@proxy.example.com:3128
       */
      readonly proxy: string | null;
      /**
       * @description Role of the key.
       * @example tenant
       * @enum {string}
       */
      readonly role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Tenant of the key. `null` for the role `admin`.
       * @example acme
       */
      readonly tenant: string | null;
    };
    /** @description The API key of the request. */
    CurrentKey: {
      /**
       * @description Id of the key. `local` for a local caller if no key is configured.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly key: string;
      /** @description Allowed actions. */
      readonly may: components["schemas"]["Action"][];
      /**
       * @description Role of the key.
       * @example tenant
       * @enum {string}
       */
      readonly role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Tenant of the key. `null` for the role `admin`.
       * @example acme
       */
      readonly tenant: string | null;
    };
    /** @description An event that could not be delivered. */
    DeadLetter: {
      /**
       * @description Number of failed attempts.
       * @example 100
       */
      attempts: components["schemas"]["Count"];
      /** @description Body of the webhook request. `null` if unreadable. */
      body: unknown;
      /**
       * @description Time of the event.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Number of the failed event. Later events have higher numbers.
       * @example 1795000000000-0
       */
      id: string;
      /**
       * @description `expired`: older than 24 hours; `attempts`: 100 failed attempts; `full`: queue full; `unreadable`: damaged in Redis.
       * @example attempts
       */
      reason: string;
      /**
       * @description Type of the event, such as `message.new`.
       * @example message.new
       */
      type: string;
    };
    /** @description Failed events, in the order in which they failed permanently. */
    DeadLetterPage: {
      /** @description Failed events of this page. */
      docs: components["schemas"]["DeadLetter"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example
       */
      next: string;
    };
    /** @description Messages that were deleted. */
    DeletedMessages: {
      /** @description Other person in the chat. */
      chat: components["schemas"]["Person"];
      /** @description Ids of the deleted messages of this chat. */
      ids: string[];
    };
    /** @description Body of a webhook request. */
    DeletedMessagesEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["DeletedMessages"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.deleted
       * @constant
       */
      type: "message.deleted";
    };
    /** @description Messages that were deleted for everyone. */
    DeletedWhatsAppMessages: {
      /** @description Person who deleted them. Present in groups. */
      author?: components["schemas"]["WhatsAppChat"];
      /** @description Chat of the messages. */
      chat: components["schemas"]["WhatsAppChat"];
      /** @description Ids of the deleted messages. */
      ids: string[];
    };
    /** @description Messages of the account that reached a device of the other person. */
    DeliveredWhatsAppMessages: {
      /** @description Person who received them. Present in groups. */
      author?: components["schemas"]["WhatsAppChat"];
      /** @description Chat of the messages. */
      chat: components["schemas"]["WhatsAppChat"];
      /** @description Ids of the messages. */
      ids: string[];
    };
    /** @description A file of any type. */
    DocumentForm: {
      /**
       * @description Media type of the file, such as `application/pdf`.
       * @example application/pdf
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description File name in the chat, at most 255 bytes.
       * @example invoice.pdf
       */
      name: string;
      /**
       * @description Size in bytes, greater than 0. The message always has the real size of the file.
       * @example 48213
       */
      size: number;
      /**
       * @description Public, direct URL of the file.
       * @example https://example.com/invoice.pdf
       */
      url: components["schemas"]["Url"];
    };
    /** @description Body of a webhook request. */
    EditedMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["PrivateMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.edited
       * @constant
       */
      type: "message.edited";
    };
    /** @description Name and use of one key of `CRED_KEYS`. The key itself is never shown. */
    EncryptionKey: {
      /**
       * @description Name of the key, one letter or digit.
       * @example b
       */
      id: string;
      /** @description Processes that do not have the key. */
      missing: string[];
      /**
       * @description Time until which short-lived records need the key. Empty for the active key, and for keys that were never active.
       * @example
       */
      neededUntil: string;
      /**
       * @description Records encrypted with the key, as last counted. `null` before the first count.
       * @example 412
       */
      records: null | components["schemas"]["Count"];
      /**
       * @description True if you can remove the key: a count after `neededUntil` found no records.
       * @example false
       */
      removable: boolean;
      /**
       * @description True for the active key.
       * @example true
       */
      sealing: boolean;
    };
    /** @description Encryption keys, the processes that have them, and the progress of a rotation. */
    EncryptionKeys: {
      /** @description Erasure of deleted data from the file of Redis. */
      erasure: components["schemas"]["SecretErasure"];
      /** @description All known keys. */
      keys: components["schemas"]["EncryptionKey"][];
      /** @description Processes that decrypt records. */
      members: components["schemas"]["KeyHolder"][];
      /** @description Last rotation. `null` before the first. */
      rotation: null | components["schemas"]["KeyRotation"];
      /**
       * @description Name of the active key.
       * @example b
       */
      sealing: string;
    };
    /**
     * @description Reason for the end of a stream.
     * @enum {string}
     */
    EndReason: "read too slowly" | "api key is no longer valid" | "router stops";
    Error: components["schemas"]["ErrorBody"];
    /** @description Body of every error. The header `x-error-code` has the error code. */
    ErrorBody: {
      /**
       * @description Error message for people. Several messages are separated by newlines.
       * @example session not found
       */
      message: string;
      /**
       * @description HTTP status of the response.
       * @example 404
       */
      statusCode: number;
    };
    /** @enum {string} */
    EventType:
      | "message.new"
      | "message.edited"
      | "message.deleted"
      | "message.read"
      | "session.state"
      | "session.expiring"
      | "message.delivered"
      | "message.reaction"
      | "message.failed"
      | "group.message.new"
      | "group.message.edited"
      | "group.message.deleted"
      | "group.changed"
      | "channel.message.new"
      | "call.offered";
    /** @description A message of the account that the platform refused after it had accepted it. */
    FailedWhatsAppMessage: {
      /** @description Chat of the message. */
      chat: components["schemas"]["WhatsAppChat"];
      /**
       * @description Error code of the platform.
       * @example 463
       */
      code: string;
      /**
       * @description Id of the message, as `POST /message` returned it.
       * @example 3EB0B430B6F8F1D0E053
       */
      id: string;
    };
    /** @description What the platform says of one phone number. Unknown values are empty. */
    FoundPhone: {
      /**
       * @description True if the number has an account that this account may find.
       * @example true
       */
      exists: boolean;
      /**
       * @description Anonymous id of the account on WhatsApp, `…@lid`. Always empty on Telegram.
       * @example 100000000000002@lid
       */
      lid: string;
      /**
       * @description The number in digits, without the `+` and the punctuation of the request.
       * @example 15550100002
       */
      phone: string;
      /**
       * @description Id of the account. Use it as `user` in requests.
       * @example 15550100002@s.whatsapp.net
       */
      user: string;
      /**
       * @description Username without `@`.
       * @example bob
       */
      username: string;
    };
    ImageContentForm: {
      /** @description Image file. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
    };
    /** @description An image file. The gateway downloads it. */
    ImageForm: {
      /**
       * @description Media type of the file, such as `image/jpeg`.
       * @example image/jpeg
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public URL of a thumbnail. Without it the gateway makes a thumbnail. Telegram always makes its own.
       * @example https://example.com/oven.jpg
       */
      thumbnail?: string;
      /**
       * @description Public, direct URL of the file. JPEG works everywhere.
       * @example https://example.com/cake.jpg
       */
      url: components["schemas"]["Url"];
    };
    ImageStory: {
      /** @description Image, scaled down to at most 1080 pixels. */
      image: components["schemas"]["StoryImageForm"];
      /**
       * @description Audience. Default: `contacts`. `close_friends` is the list that the account set on the platform.
       * @example close_friends
       * @enum {string}
       */
      privacy?: "everyone" | "contacts" | "close_friends";
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
    };
    /**
     * Format: date-time
     * @description Time in ISO 8601, such as `2026-11-21T14:27:39.000Z`.
     */
    Instant: string;
    /** @description Changes of an API key. */
    KeyChangeForm: {
      /**
       * @description Proxy of sessions created with the key from now on. `null`: the tenant's proxy, or none. Existing sessions keep their proxy; change
       *     it with `PUT /admin/sessions/{id}/proxy`.
       * @example http://acme:c0rrect-h0rse@proxy.example.com:3128
       */
      proxy?: string | null;
    };
    /** @description A process that decrypts records. */
    KeyHolder: {
      /**
       * @description Host of the process.
       * @example gateway-a
       */
      host: string;
      /** @description Names of the keys of the process, active key first. `null` if the process has not reported them. */
      keys: string[] | null;
      /**
       * @description Name of the process.
       * @example shard-1
       */
      name: string;
      /**
       * @description Role of the process.
       * @example shard
       * @enum {string}
       */
      role: "shard" | "router";
    };
    /** @description A revoked API key. */
    KeyReference: {
      /**
       * @description Id of the key.
       * @example 6b01aa5342b4f53c9f4c
       */
      id: string;
    };
    /** @description Progress of a rotation. Times are empty if they do not apply. */
    KeyRotation: {
      /**
       * @description Re-encrypted records.
       * @example 412
       */
      done: components["schemas"]["Count"];
      /**
       * @description End of the rotation in ISO 8601.
       * @example 2026-11-21T02:00:04.000Z
       */
      ended: string;
      /**
       * @description Records that cannot be decrypted. They stay unchanged.
       * @example 0
       */
      failed: components["schemas"]["Count"];
      /**
       * @description Shard that runs the rotation.
       * @example shard-1
       */
      member: string;
      /**
       * @description Start of the rotation in ISO 8601.
       * @example 2026-11-21T02:00:00.000Z
       */
      started: string;
      /**
       * @description `counting` comes before and after `resealing`.
       * @example ended
       * @enum {string}
       */
      state: "ended" | "counting" | "resealing";
      /**
       * @description Records to re-encrypt.
       * @example 412
       */
      total: components["schemas"]["Count"];
    };
    /** @description Data of a server-sent event. */
    LiveCodeEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Shard of the session.
       * @example shard-1
       */
      member: string;
      /**
       * @description Platform of the session.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description Tenant of the session.
       * @example acme
       */
      tenant: string;
    };
    /** @description Data of a server-sent event. */
    LiveDeliveriesEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Events that failed permanently.
       * @example 0
       */
      dead: components["schemas"]["Count"];
      /**
       * @description Events delivered.
       * @example 3
       */
      delivered: components["schemas"]["Count"];
      /**
       * @description Failed attempts. The gateway retries the events.
       * @example 0
       */
      failed: components["schemas"]["Count"];
      /**
       * @description Shard of the session.
       * @example shard-1
       */
      member: string;
      /**
       * @description Platform of the session.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /**
       * @description Failed events that were replayed.
       * @example 0
       */
      replayed: components["schemas"]["Count"];
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description Tenant of the session.
       * @example acme
       */
      tenant: string;
      /**
       * @description Age of the oldest pending event in seconds. 0 if none is pending.
       * @example 0
       */
      webhookLag: components["schemas"]["Count"];
    };
    /** @description Data of a server-sent event. */
    LiveEndEvent: {
      /**
       * @description Reason for the end of the stream. The client can reconnect.
       * @example router stops
       */
      reason: components["schemas"]["EndReason"];
    };
    /** @description Data of a server-sent event. */
    LiveLoadEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description True if an operator drained the shard.
       * @example false
       */
      drained: boolean;
      /**
       * @description Name of the shard.
       * @example shard-1
       */
      member: string;
      /**
       * @description Number of sessions on the shard.
       * @example 1280
       */
      sessions: components["schemas"]["Count"];
      /**
       * @description Number of slots that the shard owns.
       * @example 2048
       */
      slots: components["schemas"]["Count"];
    };
    /** @description Data of a server-sent event. */
    LiveMemberEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Host of the process.
       * @example gateway-a
       */
      host: string;
      /**
       * @description Name of the process.
       * @example shard-1
       */
      member: string;
      /**
       * @description New state of the process.
       * @example active
       * @enum {string}
       */
      state: "active" | "draining" | "dead" | "gone";
    };
    /** @description Data of a server-sent event. */
    LiveMissedEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
    };
    /** @description Data of a server-sent event. */
    LiveRotationEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Re-encrypted records.
       * @example 1024
       */
      done: components["schemas"]["Count"];
      /**
       * @description Records that cannot be decrypted. They stay unchanged.
       * @example 0
       */
      failed: components["schemas"]["Count"];
      /**
       * @description Shard that runs the rotation.
       * @example shard-1
       */
      member: string;
      /**
       * @description `counting` comes before and after `resealing`.
       * @example resealing
       * @enum {string}
       */
      state: "ended" | "counting" | "resealing";
      /**
       * @description Records to re-encrypt.
       * @example 2560
       */
      total: components["schemas"]["Count"];
    };
    /** @description Data of a server-sent event. */
    LiveSessionEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Shard of the session.
       * @example shard-1
       */
      member: string;
      /**
       * @description Platform of the session.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description New state of the session.
       * @example connected
       * @enum {string}
       */
      state: "awaiting-password" | "connected" | "disconnected" | "deleted" | "awaiting-qr";
      /**
       * @description Tenant of the session.
       * @example acme
       */
      tenant: string;
    };
    /** @description Data of a server-sent event. */
    LiveSlotsEvent: {
      /**
       * @description Time of the event.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Shard that took the slots.
       * @example shard-1
       */
      member: string;
      /** @description Numbers of the slots. */
      slots: number[];
    };
    /** @description A location. */
    LocationForm: {
      /**
       * @description Address of the place, at most 1,024 bytes.
       * @example Stephansplatz 1, Vienna
       */
      address?: string;
      /**
       * @description Degrees north, from -90 to 90; not 0.
       * @example 48.2082
       */
      latitude: number;
      /**
       * @description Degrees east, from -180 to 180; not 0.
       * @example 16.3738
       */
      longitude: number;
      /**
       * @description Name of the place, at most 1,024 bytes.
       * @example Shop
       */
      name?: string;
    };
    /** @description Name of a shard. */
    MemberForm: {
      /**
       * @description Name of a shard.
       * @example shard-2
       */
      member: string;
    };
    /** @description One process of the cluster. Values that were not reported within 15 s are `null`. */
    MemberRow: {
      /**
       * @description True if an operator drained the shard. It gets no slots.
       * @example false
       */
      drained: boolean;
      /**
       * @description Host of the process.
       * @example gateway-a
       */
      host: string;
      /**
       * @description Highest recent delay of the event loop in milliseconds.
       * @example 3
       */
      loopLagMs: null | components["schemas"]["Count"];
      /**
       * @description Resident memory in bytes.
       * @example 271581184
       */
      memoryBytes: null | components["schemas"]["Count"];
      /**
       * @description Name of the process.
       * @example shard-1
       */
      name: string;
      /**
       * @description Role of the process.
       * @example shard
       * @enum {string}
       */
      role: "shard" | "supervisor" | "router";
      /**
       * @description Number of sessions on the shard. `null` except for the role `admin`.
       * @example 412
       */
      sessions: null | components["schemas"]["Count"];
      /**
       * @description Number of slots that the shard owns.
       * @example 1366
       */
      slots: null | components["schemas"]["Count"];
      /**
       * @description `draining`: moves its slots to others; `drained`: has no slots left after a drain; `dead`: failed; `gone`: stopped.
       * @example active
       */
      state: components["schemas"]["MemberState"];
      /**
       * @description Version of Trunkline.
       * @example 0.2.0
       */
      version: string | null;
    };
    /**
     * @description `draining`: moves its slots to others before a stop or after a drain. `drained`: has no slots left after a drain.
     * @enum {string}
     */
    MemberState: "drained" | "active" | "draining" | "dead" | "gone";
    /** @description A contact in a message. */
    MessageContact: {
      /**
       * @description Name of the contact.
       * @example Carol
       */
      name: string;
      /**
       * @description Number of the contact.
       * @example 15550100003
       */
      phone: string;
    };
    /** @description A location in a message. Unknown values are empty. */
    MessageLocation: {
      /**
       * @description Address of the place.
       * @example Stephansplatz 1, Vienna
       */
      address: string;
      /**
       * @description Degrees.
       * @example 48.2082
       */
      latitude: number;
      /**
       * @description Degrees.
       * @example 16.3738
       */
      longitude: number;
      /**
       * @description Name of the place.
       * @example Shop
       */
      name: string;
    };
    /** @description Returned when the platform's server has accepted the message. This does not confirm delivery. */
    MessageOutput: {
      /**
       * @description Id of the message on the platform. Empty on Telegram if the platform accepted the message without returning an id.
       * @example 3EB0C431C26A1916E07A
       */
      messageId: string;
    };
    /** @description Media type, at most 255 bytes. */
    Mimetype: string;
    /** @description Result of moving a session. */
    MovedSession: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description Shard that the slot is pinned to.
       * @example shard-2
       */
      member: string;
      /**
       * @description Number of sessions in the slot. Only for the role `admin`.
       * @example 3
       */
      sessions?: components["schemas"]["Count"];
      /**
       * @description Slot of the session. It moves with all of its sessions.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
    };
    /** @description A new API key. */
    NewKeyForm: {
      /**
       * @description Expiry time: in the future, with a time zone. Default: valid until revoked.
       * @example 2030-01-01T00:00:00Z
       */
      expires?: components["schemas"]["Instant"];
      /**
       * @description Name for people: one line of at most 64 characters.
       * @example shop backend
       */
      label?: string;
      /**
       * @description Proxy of sessions created with the key, instead of the tenant's proxy: `socks5://[user:password@]host:port`, or `http://…`. Not for
       *     the role `read`. Stored encrypted. Responses never include its login.
       * @example socks5://acme:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string;
      /**
       * @description `admin`: full access; `tenant`: full access to the tenant's sessions; `create`: only `POST /session`; `read`: read-only access to
       *     the tenant's sessions and the cluster.
       * @example tenant
       * @enum {string}
       */
      role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Tenant of the key. Absent for the role `admin`.
       * @example acme
       */
      tenant?: string;
    };
    /** @description Body of a webhook request. */
    NewMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["PrivateMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.new
       * @constant
       */
      type: "message.new";
    };
    /** @description Settings of a new session. */
    NewSessionForm: {
      /**
       * @description Name for people: one line of at most 64 characters. You can search for sessions by label.
       * @example till 7
       */
      label?: string;
      /** @description Any JSON object of at most 1,024 bytes. Stored encrypted. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description Proxy for connections to the platform, instead of the proxy of the API key or tenant: `socks5://[user:password@]host:port`, or
       *     `http://…`. Stored encrypted. Responses never include its login.
       * @example socks5://till:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string;
    };
    /** @description A new tenant. */
    NewTenantForm: {
      /**
       * @description 1 to 32 characters of `a-z`, `0-9` and `-`.
       * @example acme
       */
      name: string;
      /**
       * @description Limits for sending messages, per session. Absent fields keep their values. `null` restores the default of the deployment. Changes
       *     apply within a second, also to waiting messages.
       */
      pace?: null | {
        /** @description First messages per hour to people without earlier messages. 0: no limit. */
        newContactsPerHour?: null | components["schemas"]["Count"];
        /** @description Messages per minute. 0: no limit. */
        sendsPerMinute?: null | components["schemas"]["Count"];
      };
      /**
       * @description Proxy for connections of the tenant's sessions: `socks5://[user:password@]host:port`, or `http://…`. `null`: no proxy. After a
       *     change, sessions without their own proxy reconnect.
       * @example socks5://acme:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string | null;
      /** @description Limits of the tenant. Absent fields keep their values. `null` removes a limit. */
      quotas?: {
        /**
         * @description Requests that can arrive at once. Default: the requests of one second. Needs `requestsPerSecond`.
         * @example 40
         */
        burst?: null | components["schemas"]["Count"];
        /** @description Concurrent downloads, renderings and media fetches. */
        downloads?: null | components["schemas"]["Count"];
        /** @description Concurrent requests to sessions, including new sessions. */
        inFlight?: null | components["schemas"]["Count"];
        /** @description Bytes of media per second to clients. */
        mediaBytesPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Messages per UTC day: to people, groups and channels, and on WhatsApp also reactions, edits and deletions. An album counts as one.
         * @example 5000
         */
        messagesPerDay?: null | components["schemas"]["Count"];
        /**
         * @description Requests per second: calls of sessions, new sessions, and `/admin` calls of the tenant's keys.
         * @example 20
         */
        requestsPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Number of sessions, on both platforms.
         * @example 100
         */
        sessions?: null | components["schemas"]["Count"];
        /** @description Concurrent webhook requests. */
        webhooks?: null | components["schemas"]["Count"];
      };
    };
    /** @description Settings of a new session. */
    NewWhatsAppSessionForm: {
      /**
       * @description Name for people: one line of at most 64 characters. You can search for sessions by label.
       * @example till 7
       */
      label?: string;
      /** @description Any JSON object of at most 1,024 bytes. Stored encrypted. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description Phone number of the account, to link it with a pairing code instead of a QR code: 8 to 15 digits, the first not 0.
       * @example +1 555 010 0001
       */
      phone?: string;
      /**
       * @description Proxy for connections to the platform, instead of the proxy of the API key or tenant: `socks5://[user:password@]host:port`, or
       *     `http://…`. Stored encrypted. Responses never include its login.
       * @example socks5://till:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string;
    };
    object: Record<string, never>;
    /** @description Limits for sending messages, per session. `null`: default of the deployment. */
    Pace: {
      /** @description First messages per hour to people without earlier messages. 0: no limit. */
      newContactsPerHour: null | components["schemas"]["Count"];
      /**
       * @description Messages per minute. 0: no limit.
       * @example 60
       */
      sendsPerMinute: null | components["schemas"]["Count"];
    };
    /** @description One page of a list. A page can be short or empty and still have a next page. */
    PageApiKey: {
      /** @description Rows of this page. */
      readonly docs: components["schemas"]["ApiKey"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example
       */
      readonly next: string;
    };
    /** @description One page of a list. A page can be short or empty and still have a next page. */
    PageAuditRow: {
      /** @description Rows of this page. */
      readonly docs: components["schemas"]["AuditRow"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example
       */
      readonly next: string;
    };
    /** @default 50 */
    PageLimit: number;
    /** @description One page of a list. A page can be short or empty and still have a next page. */
    PageMemberRow: {
      /** @description Rows of this page. */
      readonly docs: components["schemas"]["MemberRow"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example
       */
      readonly next: string;
    };
    /** @description One page of a list. A page can be short or empty and still have a next page. */
    PageSessionRow: {
      /** @description Rows of this page. */
      readonly docs: components["schemas"]["SessionRow"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example 2741.6b01aa5342b4f53c9f4c7e33
       */
      readonly next: string;
    };
    /** @description One page of a list. A page can be short or empty and still have a next page. */
    PageSlotAssignment: {
      /** @description Rows of this page. */
      readonly docs: components["schemas"]["SlotAssignment"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example 2741
       */
      readonly next: string;
    };
    /** @description One page of a list. A page can be short or empty and still have a next page. */
    PageTenant: {
      /** @description Rows of this page. */
      readonly docs: components["schemas"]["Tenant"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example
       */
      readonly next: string;
    };
    /** @description Signature of a passkey. Byte strings are base64url without padding. */
    PasskeyAssertion: {
      /**
       * @description Signed data of the authenticator.
       * @example hpqnVsQRI0g4AbZ9CgzPaAzMdO7GSZfqjWJgzyYfvH4FAAAAAA
       */
      authenticatorData: string;
      /**
       * @description Signed data of the browser: the challenge and the origin of the page.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0
       */
      clientDataJSON: string;
      /**
       * @description Signature over both.
       * @example MEQCIBhZb2YvSmNxT2RkZ3l1b3VQZGdmZ2hqa2xxd2VyAiB0eXVpb3Bhc2RmZ2hqa2x6eGN2Ym5t
       */
      signature: string;
      /**
       * @description Id of the passkey's user.
       * @example VXNlciBvZiB0aGlzIGV4YW1wbGU
       */
      userHandle?: string | null;
    };
    /** @description Result of `toJSON()` of the browser's credential. The gateway ignores other fields. */
    PasskeyCredential: {
      /**
       * @description Id of the passkey in base64url.
       * @example n4bQgYhMfWWaL-qgxVrQFaO_Txs
       */
      id: string;
      /**
       * @description Same value as `id`.
       * @example n4bQgYhMfWWaL-qgxVrQFaO_Txs
       */
      rawId: string;
      /** @description Signed challenge. */
      response: components["schemas"]["PasskeyAssertion"];
      /**
       * @description `public-key`.
       * @example public-key
       */
      type: string;
    };
    /** @description One passkey of the account. */
    PasskeyDescriptor: {
      /**
       * @description Credential id.
       * @example n4bQgYhMfWWaL-qgxVrQFaO_Txs
       */
      id: string;
      /** @description Ways to reach the passkey, such as `hybrid` for a passkey on a phone. */
      transports?: string[];
      /**
       * @description `public-key`.
       * @example public-key
       */
      type: string;
    };
    /** @description A signed passkey credential. */
    PasskeyForm: {
      /** @description Result of `PublicKeyCredential.toJSON()`. */
      credential: components["schemas"]["PasskeyCredential"];
    };
    /**
     * @description `PublicKeyCredentialRequestOptions` from the platform as JSON, for `PublicKeyCredential.parseRequestOptionsFromJSON`. Byte strings
     *     are base64url without padding.
     */
    PasskeyOptions: {
      /** @description Passkeys that can sign. */
      allowCredentials?: components["schemas"]["PasskeyDescriptor"][];
      /**
       * @description Bytes that the passkey signs.
       * @example Zm9yIHRoZSBwYXNza2V5IG9mIGFsaWNl
       */
      challenge: string;
      /** @description WebAuthn extensions from the platform. */
      extensions?: {
        [key: string]: unknown;
      };
      /**
       * @description Domain of the passkey.
       * @example whatsapp.com
       */
      rpId: string;
      /**
       * @description Time limit for the browser in milliseconds.
       * @example 600000
       */
      timeout?: number;
      /**
       * @description WebAuthn requirement for verification of the person.
       * @example required
       */
      userVerification?: string;
    };
    /** @description State of linking an account with a passkey. */
    PasskeyStatus: {
      /**
       * @description Eight characters that the phone must also show. Empty unless the state is `confirm`.
       * @example
       */
      code: string;
      /**
       * @description Time when this step expires, in ISO 8601. Empty if no linking is in progress.
       * @example 2026-11-21T14:37:39.000Z
       */
      expires: string;
      /** @description Options for `navigator.credentials.get` while the state is `challenge`. */
      options: null | components["schemas"]["PasskeyOptions"];
      /**
       * @description Reason why linking failed. Empty otherwise.
       * @example
       */
      reason: string;
      /**
       * @description `none`: no passkey is needed. `challenge`: sign `options` with the passkey. `sent`: waiting for the platform and the phone.
       *     `confirm`: compare `code` with the code on the phone. `done`: the account is linked. `failed`: see `reason`.
       * @example challenge
       * @enum {string}
       */
      state: "done" | "failed" | "none" | "challenge" | "sent" | "confirm";
      /**
       * @description Send it in the header `passkey-token` instead of `session-id`. Valid for the passkey calls of this attempt only. Empty if no
       *     linking is in progress.
       * @example pQ0o8mWcZLkqB1Wd6oH4bq3m2sYb0S3g1u5cQyZr7xE
       */
      token: string;
    };
    /** @description The two-step password. */
    PasswordForm: {
      /**
       * @description Two-step password. The gateway does not trim it.
       * @example correct horse
       */
      password: string;
    };
    /** @description Other person in a private chat. Unknown values are empty. */
    Person: {
      /**
       * @description Platform user id. Use it as `user` in requests.
       * @example 5100000001
       */
      id: string;
      /**
       * @description Display name.
       * @example Bob Builder
       */
      name: string;
      /**
       * @description Phone number. Empty unless the person shares it with the account.
       * @example 15550100002
       */
      phone: string;
      /**
       * @description Signed link to the small profile photo (variant `profile`). Empty if there is none. A new photo has a new link.
       * @example http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/5100000001/1000005100000001/profile/aMRPs_xo-ih48G4fvZlB9hLk9rUY.jpg
       */
      thumbnail: string;
      /**
       * @description Username without `@`.
       * @example bob_sandbox
       */
      username: string;
    };
    /** @description A picture that becomes a sticker. The gateway downloads it. */
    PictureForm: {
      /**
       * @description Media type of the file, such as `image/png`.
       * @example image/jpeg
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public, direct URL of the file.
       * @example https://example.com/cake.jpg
       */
      url: components["schemas"]["Url"];
    };
    /** @description One message of a private chat. */
    PrivateMessage: {
      /**
       * @description Same value in all messages of one album. Empty outside of albums.
       * @example
       */
      albumId: string;
      /**
       * @description True for GIFs and videos without sound that play automatically in a loop.
       * @example false
       */
      animation: boolean;
      /** @description Other person in the chat. */
      chat: components["schemas"]["Person"];
      /** @description Present when `type` is `contact`. */
      contact?: components["schemas"]["MessageContact"];
      /**
       * @description Time of the message.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Length of audio or video in seconds. 0 otherwise.
       * @example 0
       */
      duration: number;
      /**
       * @description Time of the last edit, in ISO 8601. Empty if never edited.
       * @example 2026-11-21T14:28:00.000Z
       */
      edited: string;
      /** @description Formatting, links and mentions in `text`, in the platform's order. May be empty. */
      entities: components["schemas"]["TextEntity"][];
      /**
       * @description True if the account sent the message from another device.
       * @example false
       */
      fromMe: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 0
       */
      height: components["schemas"]["Count"];
      /**
       * @description Number of the message within the account.
       * @example 301
       */
      id: string;
      /** @description Present when `type` is `location`. */
      location?: components["schemas"]["MessageLocation"];
      /**
       * @description Media type of the file. Empty without a file.
       * @example
       */
      mimetype: string;
      /**
       * @description File name of a document. Empty otherwise.
       * @example
       */
      name: string;
      /**
       * @description Performer of audio. Empty if unknown.
       * @example
       */
      performer: string;
      /**
       * @description Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored.
       * @example aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw
       */
      ref?: string;
      /**
       * @description Id of the message that this message replies to. Empty otherwise.
       * @example 300
       */
      replyTo: string;
      /**
       * @description True for round video messages.
       * @example false
       */
      round: boolean;
      /**
       * @description Size of the file at `url` in bytes. 0 without media.
       * @example 0
       */
      size: components["schemas"]["Count"];
      /**
       * @description Text or caption. Empty if there is none.
       * @example Hello 👋, see the list
       */
      text: string;
      /**
       * @description Signed link to the thumbnail. Empty if there is none.
       * @example
       */
      thumbnail: string;
      /**
       * @description Title of audio. Empty if unknown.
       * @example
       */
      title: string;
      /**
       * @description Type of the content.
       * @example location
       * @enum {string}
       */
      type: "image" | "video" | "audio" | "document" | "sticker" | "text" | "location" | "contact" | "other";
      /**
       * @description Signed link to the file. Empty without media.
       * @example
       */
      url: string;
      /**
       * @description True for voice messages.
       * @example false
       */
      voice: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 0
       */
      width: components["schemas"]["Count"];
    };
    /** @description A proxy for a session. */
    ProxyForm: {
      /**
       * @description `socks5://[user:password@]host:port`, or `http://…`. Stored encrypted. Responses never include its login.
       * @example socks5://till:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy: string;
    };
    /** @description Proxy of a session. */
    ProxyInUse: {
      /**
       * @description Address of the proxy without its login. Empty without a proxy. Only the role `admin` sees the proxies of keys and tenants.
       * @example socks5://***@proxy.example.com:1080
       */
      address: string;
      /**
       * @description Source of the proxy: the session, the API key that created it, or the tenant.
       * @example session
       * @enum {string}
       */
      of: "session" | "tenant" | "key" | "none";
    };
    /** @description Limits of a tenant. `null`: no limit. */
    Quotas: {
      /**
       * @description Requests that can arrive at once. Default: the requests of one second. Needs `requestsPerSecond`.
       * @example 40
       */
      burst: null | components["schemas"]["Count"];
      /** @description Concurrent downloads, renderings and media fetches. */
      downloads: null | components["schemas"]["Count"];
      /** @description Concurrent requests to sessions, including new sessions. */
      inFlight: null | components["schemas"]["Count"];
      /** @description Bytes of media per second to clients. */
      mediaBytesPerSecond: null | components["schemas"]["Count"];
      /**
       * @description Messages per UTC day: to people, groups and channels, and on WhatsApp also reactions, edits and deletions. An album counts as one.
       * @example 5000
       */
      messagesPerDay: null | components["schemas"]["Count"];
      /**
       * @description Requests per second: calls of sessions, new sessions, and `/admin` calls of the tenant's keys.
       * @example 20
       */
      requestsPerSecond: null | components["schemas"]["Count"];
      /**
       * @description Number of sessions, on both platforms.
       * @example 100
       */
      sessions: null | components["schemas"]["Count"];
      /** @description Concurrent webhook requests. */
      webhooks: null | components["schemas"]["Count"];
    };
    /** @description Messages that were read. */
    ReadMessages: {
      /**
       * @description `them`: the other person read the account's messages; `me`: the account read messages on another device.
       * @example them
       * @enum {string}
       */
      by: "them" | "me";
      /** @description Other person in the chat. */
      chat: components["schemas"]["Person"];
      /**
       * @description Last read message. Earlier messages are read too.
       * @example 300
       */
      until: string;
    };
    /** @description Body of a webhook request. */
    ReadMessagesEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["ReadMessages"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.read
       * @constant
       */
      type: "message.read";
    };
    /** @description Messages that were read. */
    ReadWhatsAppMessages: {
      /**
       * @description `them`: the other person read the account's messages; `me`: the account read messages on another device.
       * @example them
       * @enum {string}
       */
      by: "them" | "me";
      /** @description Chat of the messages. */
      chat: components["schemas"]["WhatsAppChat"];
      /** @description Ids of the messages that the platform named. */
      ids: string[];
      /**
       * @description The last of `ids`. Earlier messages of the chat are usually read too.
       * @example 3EB0C431C26A1916E07A
       */
      until: string;
    };
    /** @description Result of replaying failed events. */
    ReplayOutput: {
      /**
       * @description Number of events that were not replayed: the queue is full, or they are older than the current webhook.
       * @example 0
       */
      left: components["schemas"]["Count"];
      /**
       * @description Number of events that are pending again, with unchanged ids and bodies.
       * @example 2
       */
      replayed: components["schemas"]["Count"];
    };
    /** @description Result of an immediate retry. */
    RetryOutput: {
      /**
       * @description Pending events. The gateway sends the oldest event now, and the others after a success.
       * @example 3
       */
      waiting: components["schemas"]["Count"];
    };
    /** @description Deleted data in the append-only file of Redis. Times are empty if they do not apply. */
    SecretErasure: {
      /**
       * @description Time of the oldest deletion that is still in the file.
       * @example
       */
      heldSince: string;
      /**
       * @description `refused`: the Redis user of the shards may not rewrite the file; `failed`: the rewrite failed. Empty without a problem.
       * @example
       */
      problem: string;
      /**
       * @description Time of the last rewrite. Data that was deleted before is not in the file.
       * @example 2026-11-21T03:00:00.000Z
       */
      rewritten: string;
    };
    /** @description Credentials of a new session. Anyone with both values can act as the account: store `sessionId` like a password. */
    SessionCredentials: {
      /**
       * @description Send it in the header `id`.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description Send it in the header `session-id`. No other response shows it.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      sessionId: string;
    };
    /** @description One session with its proxy. */
    SessionDetails: {
      /**
       * @description Id of the session, 24 hex digits.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description Label of the session.
       * @example till 7
       */
      label: string;
      /**
       * @description Last error.
       * @example
       */
      lastError: string;
      /**
       * @description Shard of the session. Empty if no shard owns it.
       * @example shard-1
       */
      member: string;
      /**
       * @description Name of the account.
       * @example Alice
       */
      name: string;
      /**
       * @description Phone number of the account.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description Platform of the session.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /** @description Proxy of the session. */
      proxy: components["schemas"]["ProxyInUse"];
      /** @description Events that are not delivered yet. */
      queue: components["schemas"]["UndeliveredEvents"];
      /**
       * @description Time of the last change of state.
       * @example 2026-11-21T14:27:39.000Z
       */
      since: components["schemas"]["Instant"];
      /**
       * @description Slot of the session, 0 to 4095. A slot moves with all of its sessions.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description State of the session.
       * @example connected
       * @enum {string}
       */
      state: "awaiting-password" | "connected" | "disconnected" | "awaiting-qr";
      /**
       * @description Tenant of the session.
       * @example default
       */
      tenant: string;
      /**
       * @description Age of the oldest pending event in seconds. 0 if none is pending.
       * @example 0
       */
      webhookLag: components["schemas"]["Count"];
    };
    /** @description A session that the gateway is about to delete. The event comes 30 and 5 minutes before the deletion. */
    SessionExpiringData: {
      /**
       * @description Time of the deletion. The gateway keeps the session if it connects before this time.
       * @example 2026-11-21T14:57:39.000Z
       */
      expires: components["schemas"]["Instant"];
    };
    /** @description Body of a webhook request. */
    SessionExpiringEvent: {
      /**
       * @description Time of the event on the gateway's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["SessionExpiringData"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example session.expiring
       * @constant
       */
      type: "session.expiring";
    };
    /** @description A session with its proxy. */
    SessionProxy: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /** @description Proxy of the session. */
      proxy: components["schemas"]["ProxyInUse"];
    };
    /** @description Response of calls that return no data of their own. */
    SessionReference: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
    };
    /** @description One session. Strings are empty if there is no value. */
    SessionRow: {
      /**
       * @description Id of the session, 24 hex digits.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description Label of the session.
       * @example till 7
       */
      label: string;
      /**
       * @description Last error.
       * @example
       */
      lastError: string;
      /**
       * @description Shard of the session. Empty if no shard owns it.
       * @example shard-1
       */
      member: string;
      /**
       * @description Name of the account.
       * @example Alice
       */
      name: string;
      /**
       * @description Phone number of the account.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description Platform of the session.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /**
       * @description Time of the last change of state.
       * @example 2026-11-21T14:27:39.000Z
       */
      since: components["schemas"]["Instant"];
      /**
       * @description Slot of the session, 0 to 4095. A slot moves with all of its sessions.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description State of the session.
       * @example connected
       * @enum {string}
       */
      state: "awaiting-password" | "connected" | "disconnected" | "awaiting-qr";
      /**
       * @description Tenant of the session.
       * @example default
       */
      tenant: string;
      /**
       * @description Age of the oldest pending event in seconds. 0 if none is pending.
       * @example 0
       */
      webhookLag: components["schemas"]["Count"];
    };
    /** @description The session's new state. */
    SessionStateData: {
      /**
       * @description Why the state changed, in words. Empty if there is no reason to name.
       * @example login was ended by the platform
       */
      reason: string;
      /**
       * @description `awaiting`: a person has to scan, confirm or enter something.
       * @example disconnected
       * @enum {string}
       */
      state: "connected" | "disconnected" | "deleted" | "awaiting";
    };
    /** @description Body of a webhook request. */
    SessionStateEvent: {
      /**
       * @description Time of the event on the gateway's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["SessionStateData"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example session.state
       * @constant
       */
      type: "session.state";
    };
    /** @description A one-time sign-in code. */
    SignInForm: {
      /**
       * @description Code from the sign-in link that `npm start` prints.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCy
       */
      code: string;
    };
    /** @description An API key with an expiry time. */
    SignInOutput: {
      /**
       * @description Expiry time.
       * @example 2026-11-22T22:00:00.000Z
       */
      expires: components["schemas"]["Instant"];
      /**
       * @description Send it in the header `x-api-key`.
       * @example tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      key: string;
    };
    /** @description Owner and pin of one of 4096 groups of sessions that move together. Strings are empty if there is no value. */
    SlotAssignment: {
      /**
       * @description Shard that owns the slot.
       * @example shard-1
       */
      member: string;
      /**
       * @description Shard that the slot is pinned to.
       * @example
       */
      pin: string;
      /**
       * @description Number of the slot, 0 to 4095.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description `lost`: the owner died, and no shard has taken the slot yet.
       * @example held
       * @enum {string}
       */
      state: "draining" | "held" | "free" | "lost";
    };
    SlotRow: {
      /**
       * @description Shard that owns the slot.
       * @example shard-1
       */
      member: string;
      /**
       * @description Shard that the slot is pinned to.
       * @example shard-1
       */
      pin: string;
      /**
       * @description Number of sessions in the slot. `null` except for the role `admin`.
       * @example 3
       */
      sessions: null | components["schemas"]["Count"];
      /**
       * @description Number of the slot, 0 to 4095.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description `lost`: the owner died, and no shard has taken the slot yet.
       * @example held
       * @enum {string}
       */
      state: "draining" | "held" | "free" | "lost";
    };
    /** @description An image file. The gateway downloads it. */
    StoryImageForm: {
      /**
       * @description Media type of the file, such as `image/jpeg`.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description Public, direct URL of the file: JPEG, PNG, WebP, GIF, TIFF, AVIF or BMP.
       * @example https://example.com/cake.jpg
       */
      url: string;
    };
    /** @description An album, and its recipient. */
    TelegramAlbumBody: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /** @description 2 to 10 pictures and videos in their order, each with its own caption `text`. */
      items: (components["schemas"]["UntypedImageContentForm"] | components["schemas"]["UntypedVideoContentForm"])[];
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    TelegramAudioMessage: {
      /** @description Audio file. */
      audio: components["schemas"]["AudioForm"];
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "audio";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A channel that the account follows or manages. Groups are not included. */
    TelegramChannel: {
      /**
       * @description Time when the account joined.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Channel id, starts with `-100`.
       * @example -1002000000001
       */
      id: string;
      /**
       * @description True if the account created or manages the channel. Posting also needs the right to post.
       * @example true
       */
      isOwner: boolean;
      /**
       * @description Name of the channel.
       * @example Alice's news
       */
      name: string;
      /**
       * @description Small photo as a data URI. May be empty.
       * @example
       */
      picture: string;
      /**
       * @description Username without `@`. Empty for private channels.
       * @example alice_news
       */
      username: string;
    };
    /** @description One message of a channel, with media as signed links. */
    TelegramChannelMessage: {
      /**
       * @description Same value in all messages of one album. Empty outside of albums.
       * @example
       */
      albumId: string;
      /**
       * @description True for GIFs and videos without sound that play automatically in a loop.
       * @example false
       */
      animation: boolean;
      /**
       * @description Id of the channel.
       * @example -1002000000001
       */
      channelId: string;
      /**
       * @description Time of the post.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Length of audio or video in seconds. 0 otherwise.
       * @example 0
       */
      duration: number;
      /**
       * @description Time of the last edit, in ISO 8601. Empty if never edited.
       * @example
       */
      edited: string;
      /** @description Formatting, links and mentions in `text`, in the platform's order. May be empty. */
      entities: components["schemas"]["TextEntity"][];
      /**
       * @description Pixels. 0 if unknown.
       * @example 1920
       */
      height: components["schemas"]["Count"];
      /**
       * @description Number of the message within its channel. Pass it as `before` to get older messages.
       * @example 101
       */
      id: string;
      /**
       * @description Media type of the file. Empty without a file.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description File name of a document. Empty otherwise.
       * @example
       */
      name: string;
      /**
       * @description Performer of audio. Empty if unknown.
       * @example
       */
      performer: string;
      /**
       * @description True for round video messages.
       * @example false
       */
      round: boolean;
      /**
       * @description Size of the file at `url` in bytes. 0 without media.
       * @example 105825
       */
      size: components["schemas"]["Count"];
      /**
       * @description Text or caption. Empty if there is none.
       * @example New today
       */
      text: string;
      /**
       * @description Signed link to the thumbnail. Empty if there is none.
       * @example http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/-1002000000001/101/thumb/aKbqdZUT2tdJ0VDWYbEL1TMyOht0.jpg
       */
      thumbnail: string;
      /**
       * @description Title of audio. Empty if unknown.
       * @example
       */
      title: string;
      /**
       * @description Type of the content.
       * @example image
       * @enum {string}
       */
      type: "image" | "video" | "audio" | "document" | "sticker" | "text" | "other";
      /**
       * @description Signed link to the file. Absolute if the deployment has a public base URL. Empty without media.
       * @example http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/-1002000000001/101/photo/aTUb_LcflPGV6HtpS_dybURhJX6Y.jpg
       */
      url: string;
      /**
       * @description Number of views.
       * @example 12
       */
      views: components["schemas"]["Count"];
      /**
       * @description True for voice messages.
       * @example false
       */
      voice: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 2560
       */
      width: components["schemas"]["Count"];
    };
    /** @description A page of the messages of one chat, newest first. */
    TelegramChatMessagePage: {
      /** @description The messages, in the form of the event `message.new`. */
      docs: components["schemas"]["ChatMessage"][];
      /**
       * @description Pass it as `before` to get older messages. Empty on the last page.
       * @example 301
       */
      next: string;
    };
    /** @description A page of chats, the one with the newest message first. */
    TelegramChatPage: {
      /** @description The chats. */
      docs: components["schemas"]["TelegramListedChat"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example _1732199259.301.5100000001_
       */
      next: string;
    };
    TelegramContactMessage: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /** @description The contact. */
      contact: components["schemas"]["ContactForm"];
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "contact";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A page of the account's contacts. */
    TelegramContactPage: {
      /** @description The contacts, in the form of `chat` in events. */
      docs: components["schemas"]["Person"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example 5100000001
       */
      next: string;
    };
    TelegramDocumentMessage: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /** @description Document file. */
      document: components["schemas"]["DocumentForm"];
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Caption.
       * @example Your invoice
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "document";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description The new text of a message of one chat. */
    TelegramEditBody: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description The new text, or the new caption on Telegram. The gateway keeps spaces at both ends.
       * @example Your order arrives at six
       */
      text: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A message to forward, and its recipient. */
    TelegramForwardBody: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description The `ref` of the message's event.
       * @example aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw
       */
      ref: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A group of the account: a basic group or a supergroup. */
    TelegramGroup: {
      /**
       * @description Time when the account joined.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Description of the group. Empty if there is none. May be 5 minutes old.
       * @example Orders and offers
       */
      description: string;
      /**
       * @description Group id. Starts with `-`, for supergroups with `-100`.
       * @example -1001000000001
       */
      id: string;
      /**
       * @description Name of the group.
       * @example Sales
       */
      name: string;
      /**
       * @description Small photo as a data URI. May be empty.
       * @example
       */
      picture: string;
      /**
       * @description Public username without `@`. Empty for private and basic groups.
       * @example sales_sandbox
       */
      username: string;
    };
    /** @description A member of a group. */
    TelegramGroupMember: {
      /**
       * @description Id of the user on the platform. Use it as `user` in requests.
       * @example 5100000002
       */
      id: string;
      /**
       * @description Display name, or the username, phone number or id if there is no name.
       * @example Bob Builder
       */
      name: string;
      /**
       * @description Phone number. Empty unless the member shares it with the account.
       * @example 15550100002
       */
      phone: string;
      /**
       * @description Username without `@`. Empty if there is none.
       * @example bob_sandbox
       */
      username: string;
    };
    TelegramImageMessage: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /** @description Image file. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description One chat of the account. */
    TelegramListedChat: {
      /** @description The other person, the group or the channel. */
      chat: components["schemas"]["Person"];
      /**
       * @description What the chat is. Supergroups are groups.
       * @example person
       */
      kind: components["schemas"]["ChatKind"];
      /** @description Newest message of the chat. */
      last: components["schemas"]["ChatMessage"];
      /**
       * @description Number of unread messages, as reported by the platform.
       * @example 2
       */
      unread: components["schemas"]["Count"];
    };
    TelegramLocationMessage: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /** @description Location. */
      location: components["schemas"]["LocationForm"];
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "location";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A message of one of seven types to one recipient. */
    TelegramMessageBody:
      | components["schemas"]["TelegramTextMessage"]
      | components["schemas"]["TelegramImageMessage"]
      | components["schemas"]["TelegramVideoMessage"]
      | components["schemas"]["TelegramAudioMessage"]
      | components["schemas"]["TelegramDocumentMessage"]
      | components["schemas"]["TelegramLocationMessage"]
      | components["schemas"]["TelegramContactMessage"];
    /** @description A poll, and its recipient. */
    TelegramPollBody: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description True if people may choose several options. Default: false.
       * @example true
       */
      multiple?: boolean;
      /** @description 2 to 12 different texts, each of at most 100 characters. */
      options: string[];
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Question, at most 255 characters.
       * @example When do we meet?
       */
      question: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A reaction to a message of one chat. */
    TelegramReactionBody: {
      /**
       * @description Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
       *     people in groups. Telegram ignores it.
       * @example 123456789012345@lid
       */
      author?: string;
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description The emoji, at most 64 bytes. An empty text removes the account's reaction.
       * @example 👍
       */
      emoji: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Id of the message, at most 256 bytes.
       * @example 1000301
       */
      messageId: string;
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A message of one chat. */
    TelegramReadMarkBody: {
      /**
       * @description Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
       *     people in groups. Telegram ignores it.
       * @example 123456789012345@lid
       */
      author?: string;
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Id of the message, at most 256 bytes.
       * @example 1000301
       */
      messageId: string;
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description The account of a session, and the state of its login. */
    TelegramSessionRecord: {
      /**
       * @description Id of the account on the platform. Empty before the first login.
       * @example 5100000001
       */
      generatedId: string;
      /**
       * @description Id of the session, 24 hex digits. Not secret: media links contain it.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description True while the account is logged in and connected.
       * @example true
       */
      isConnected: boolean;
      /**
       * @description True if the code was scanned and the account needs its two-step password.
       * @example false
       */
      isPasswordRequired: boolean;
      /**
       * @description Reason why the session is not connected, such as a logout on the phone. Absent while the session is connected, and if there was no
       *     error.
       * @example login was ended by the platform
       */
      lastError?: string;
      /**
       * @description Name of the account, or its username, phone number or id if it has no name.
       * @example Alice
       */
      name: string;
      /**
       * @description Hint for the password, or the reason why the account cannot log in. May be empty.
       * @example
       */
      passwordHint: string;
      /**
       * @description Phone number of the account in international format.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description Small profile photo as a data URI. May be empty.
       * @example
       */
      picture: string;
      /**
       * @description QR code as a PNG in base64, without a `data:` prefix. Changes about every 30 seconds. Empty in the first seconds, and if there is
       *     no code to scan.
       * @example
       */
      qrcode: string;
      /**
       * @description Secret of the session, as sent in the request. Empty if the request used an API key.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      sessionId: string;
      /**
       * @description Username without `@`. Empty if there is none.
       * @example alice_sandbox
       */
      username: string;
      /** @description Settings of the webhook. */
      webhook: components["schemas"]["WebhookSettings"];
    };
    /** @description A story on the account's profile. */
    TelegramStatusBody: components["schemas"]["TextStory"] | components["schemas"]["ImageStory"] | components["schemas"]["VideoStory"];
    /** @description Returned when the platform has posted the story. */
    TelegramStatusOutput: {
      /**
       * @description Id of the story on the profile. Empty if the platform posted the story without returning an id.
       * @example 17
       */
      statusId: string;
    };
    /** @description A sticker, and its recipient. */
    TelegramStickerBody: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /** @description Picture of the sticker. The gateway fits it into a transparent square of 512 pixels. Only the first frame of an animation is sent. */
      image: components["schemas"]["PictureForm"];
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    TelegramTextMessage: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 300
       */
      replyTo?: string;
      /**
       * @description Text. The gateway keeps spaces at both ends.
       * @example Your order is on its way
       */
      text: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A typing indicator for one recipient. */
    TelegramTypingBody: {
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description `text` shows that the account is typing, `audio` that it is recording a voice message. Default: `text`.
       * @example audio
       * @enum {string}
       */
      type?: "audio" | "text";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    TelegramVideoMessage: {
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
       *     plain text.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
      /** @description Video file. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description A voice message, and its recipient. */
    TelegramVoiceBody: {
      /** @description Ogg file with Opus. It arrives as a voice message. */
      audio: components["schemas"]["VoiceFileForm"];
      /**
       * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description User id on the platform, such as from a list of group members, or a username or short link.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description Settings of the webhook. Fill in `url` and `token`, or leave both empty to turn the webhook off. */
    TelegramWebhookForm: {
      /**
       * @description Types of the events that the receiver gets. A list replaces the default, which is `message.new`, `message.edited`, `message.deleted`
       *     and `message.read` of private chats. The gateway ignores duplicates.
       */
      events?: ("message.new" | "message.edited" | "message.deleted" | "message.read" | "session.state" | "session.expiring")[];
      /**
       * @description Secret of the signature, also sent in the header `x-token`: printable ASCII without spaces at the ends, at most 2,048 bytes.
       * @example s3cret
       */
      token: string;
      /**
       * @description URL of the receiver: `http` or `https`, at most 2,048 bytes. Local addresses are allowed unless the deployment forbids them.
       * @example https://example.com/hooks/trunkline
       */
      url: string;
    };
    /** @description A tenant with its limits. */
    Tenant: {
      /**
       * @description Time of creation.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Name of the tenant.
       * @example acme
       */
      name: string;
      /** @description Limits for sending messages, per session. */
      pace: components["schemas"]["Pace"];
      /**
       * @description Proxy of the tenant's sessions, without its login. `null`: no proxy.
       * @example socks5://***@proxy.example.com:1080
       */
      proxy: string | null;
      /** @description Limits of the tenant. `null`: no limit. */
      quotas: components["schemas"]["Quotas"];
      /** @description Use of the quotas. Absent for a tenant without `messagesPerDay`. */
      usage?: components["schemas"]["TenantUsage"];
    };
    /** @description Changes of a tenant. */
    TenantChangeForm: {
      /**
       * @description Limits for sending messages, per session. Absent fields keep their values. `null` restores the default of the deployment. Changes
       *     apply within a second, also to waiting messages.
       */
      pace?: null | {
        /** @description First messages per hour to people without earlier messages. 0: no limit. */
        newContactsPerHour?: null | components["schemas"]["Count"];
        /** @description Messages per minute. 0: no limit. */
        sendsPerMinute?: null | components["schemas"]["Count"];
      };
      /**
       * @description Proxy for connections of the tenant's sessions: `socks5://[user:password@]host:port`, or `http://…`. `null`: no proxy. After a
       *     change, sessions without their own proxy reconnect.
       * @example http://acme:c0rrect-h0rse@proxy.example.com:3128
       */
      proxy?: string | null;
      /** @description Limits of the tenant. Absent fields keep their values. `null` removes a limit. */
      quotas?: {
        /**
         * @description Requests that can arrive at once. Default: the requests of one second. Needs `requestsPerSecond`.
         * @example 40
         */
        burst?: null | components["schemas"]["Count"];
        /** @description Concurrent downloads, renderings and media fetches. */
        downloads?: null | components["schemas"]["Count"];
        /** @description Concurrent requests to sessions, including new sessions. */
        inFlight?: null | components["schemas"]["Count"];
        /** @description Bytes of media per second to clients. */
        mediaBytesPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Messages per UTC day: to people, groups and channels, and on WhatsApp also reactions, edits and deletions. An album counts as one.
         * @example 5000
         */
        messagesPerDay?: null | components["schemas"]["Count"];
        /**
         * @description Requests per second: calls of sessions, new sessions, and `/admin` calls of the tenant's keys.
         * @example 20
         */
        requestsPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Number of sessions, on both platforms.
         * @example 200
         */
        sessions?: null | components["schemas"]["Count"];
        /** @description Concurrent webhook requests. */
        webhooks?: null | components["schemas"]["Count"];
      };
    };
    /** @description A deleted tenant. */
    TenantReference: {
      /**
       * @description Name of the tenant.
       * @example acme
       */
      name: string;
    };
    /** @description What a tenant has used of its quotas. */
    TenantUsage: {
      /**
       * @description Messages that count for `messagesPerDay` on the current UTC day.
       * @example 1204
       */
      messagesToday: components["schemas"]["Count"];
    };
    /** @description Data of a test event. */
    TestData: {
      /**
       * @description Explanation of the test event.
       * @example This is a test event. Nothing happened.
       */
      text: string;
    };
    /** @description Body of a webhook request. */
    TestEvent: {
      /**
       * @description Time of the event on the gateway's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["TestData"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example test
       * @constant
       */
      type: "test";
    };
    /** @description A test event. */
    TestEventOutput: {
      /**
       * @description Id of the event, sent in the header `webhook-id`.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Pending events, including this one. It is sent last.
       * @example 1
       */
      waiting: components["schemas"]["Count"];
    };
    /** @description Formatting, a link or a mention in a part of the text. */
    TextEntity: {
      /**
       * @description Platform id of a `custom_emoji`.
       * @example 5368324170671202286
       */
      emoji?: string;
      /**
       * @description Programming language of a `pre`, if the author set one.
       * @example ts
       */
      language?: string;
      /**
       * @description Length of the part in UTF-16 code units.
       * @example 5
       */
      length: components["schemas"]["Count"];
      /**
       * @description Start of the part in UTF-16 code units.
       * @example 0
       */
      offset: components["schemas"]["Count"];
      /**
       * @description Type of the part. `text_link` is text that links to a URL, `text_mention` is text that links to a person.
       * @example text_mention
       * @enum {string}
       */
      type:
        | "bold"
        | "code"
        | "url"
        | "mention"
        | "hashtag"
        | "cashtag"
        | "bot_command"
        | "email"
        | "phone_number"
        | "italic"
        | "underline"
        | "strikethrough"
        | "spoiler"
        | "blockquote"
        | "expandable_blockquote"
        | "pre"
        | "text_link"
        | "text_mention"
        | "custom_emoji";
      /**
       * @description URL of a `text_link`.
       * @example https://example.org/
       */
      url?: string;
      /**
       * @description Platform user id of a `text_mention`.
       * @example 5100000002
       */
      user?: string;
    };
    TextForm: {
      /**
       * @description Text. The gateway keeps spaces at both ends.
       * @example We are open until eight
       */
      text: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
    };
    TextStory: {
      /**
       * @description Audience. Default: `contacts`. `close_friends` is the list that the account set on the platform.
       * @example everyone
       * @enum {string}
       */
      privacy?: "everyone" | "contacts" | "close_friends";
      /**
       * @description Text, drawn in white on a dark green picture of 1080 x 1920. Text that does not fit is cut off.
       * @example We are open until eight
       */
      text: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
    };
    /** @description Events of a session that are not delivered yet. */
    UndeliveredEvents: {
      /**
       * @description Failed events that can be replayed.
       * @example 2
       */
      deadLetters: components["schemas"]["Count"];
      /**
       * @description Pending events.
       * @example 0
       */
      events: components["schemas"]["Count"];
    };
    /** @description The form without its `type`, in the same order, so that errors come in that order. */
    UntypedImageContentForm: {
      /** @description Image file. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
    };
    /** @description The form without its `type`, in the same order, so that errors come in that order. */
    UntypedVideoContentForm: {
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /** @description Video file. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description Public URL, at most 2,048 bytes. */
    Url: string;
    VideoContentForm: {
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /** @description Video file. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description A video file. The gateway downloads it. */
    VideoForm: {
      /**
       * @description Length in seconds, greater than 0. Rounded up to whole seconds.
       * @example 12
       */
      duration: number;
      /**
       * @description Media type of the file, such as `video/mp4`.
       * @example video/mp4
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public URL of a thumbnail. Without it the gateway uses the first frame.
       * @example https://example.com/oven.jpg
       */
      thumbnail?: string;
      /**
       * @description Public, direct URL of the file. MP4 works everywhere.
       * @example https://example.com/oven.mp4
       */
      url: components["schemas"]["Url"];
    };
    VideoStory: {
      /**
       * @description Audience. Default: `contacts`. `close_friends` is the list that the account set on the platform.
       * @example contacts
       * @enum {string}
       */
      privacy?: "everyone" | "contacts" | "close_friends";
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /** @description Video, posted unchanged. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description A voice message's file. The gateway downloads it. */
    VoiceFileForm: {
      /**
       * @description Length in seconds, greater than 0. Rounded up to whole seconds.
       * @example 2
       */
      duration: number;
      /**
       * @description Media type of the file, such as `audio/ogg`.
       * @example audio/ogg; codecs=opus
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public, direct URL of an Ogg file with Opus.
       * @example https://example.com/voice.ogg
       */
      url: components["schemas"]["Url"];
    };
    /** @description Settings of the webhook. Both fields are empty if the webhook is off. */
    WebhookSettings: {
      /** @description Types of the events that the receiver gets. Absent: the four types of private chats. */
      events?: components["schemas"]["EventType"][];
      /**
       * @description Secret of the signature, also sent in the header `x-token`: printable ASCII, at most 2,048 bytes.
       * @example s3cret
       */
      token: string;
      /**
       * @description URL of the receiver: `http` or `https`, at most 2,048 bytes.
       * @example https://example.com/hooks/trunkline
       */
      url: string;
    };
    /** @description An album, and its recipient. */
    WhatsAppAlbumBody: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /** @description 2 to 10 pictures and videos in their order, each with its own caption `text`. */
      items: (components["schemas"]["UntypedImageContentForm"] | components["schemas"]["UntypedVideoContentForm"])[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    WhatsAppAudioMessage: {
      /** @description Audio file. */
      audio: components["schemas"]["AudioForm"];
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "audio";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description An incoming call. */
    WhatsAppCall: {
      /** @description The caller. */
      chat: components["schemas"]["WhatsAppChat"];
      /**
       * @description JID of the group that is called. Empty for a call to the account alone.
       * @example 120363025246125486@g.us
       */
      group: string;
      /**
       * @description Id of the call.
       * @example 5A1F0C2B3D4E
       */
      id: string;
      /**
       * @description True for a video call.
       * @example true
       */
      video: boolean;
    };
    /** @description Body of a webhook request. */
    WhatsAppCallEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppCall"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example call.offered
       * @constant
       */
      type: "call.offered";
    };
    /** @description Body of a webhook request. */
    WhatsAppChangedGroupEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["ChangedWhatsAppGroup"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example group.changed
       * @constant
       */
      type: "group.changed";
    };
    /** @description A channel that the account follows or manages. */
    WhatsAppChannel: {
      /**
       * @description Time of creation.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Channel id, ends in `@newsletter`.
       * @example 120363144038483540@newsletter
       */
      id: string;
      /**
       * @description True if the account owns or manages the channel. The account can post only to these channels.
       * @example true
       */
      isOwner: boolean;
      /**
       * @description Name of the channel.
       * @example Trunkline news
       */
      name: string;
      /**
       * @description URL of the channel's picture. Empty if there is none.
       * @example
       */
      picture: string;
    };
    /** @description One message of a channel. */
    WhatsAppChannelMessage: {
      /**
       * @description True for videos without sound that play automatically in a loop.
       * @example false
       */
      animation: boolean;
      /**
       * @description Id of the channel.
       * @example 120363144038483540@newsletter
       */
      channelId: string;
      /**
       * @description Time of the post.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Number of the message within its channel. Pass it as `before` to get older messages.
       * @example 101
       */
      id: string;
      /**
       * @description Media type of the file. Empty without a file.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description True for round video messages.
       * @example false
       */
      round: boolean;
      /**
       * @description Size of the file in bytes. 0 without a file.
       * @example 105825
       */
      size: components["schemas"]["Count"];
      /**
       * @description Text or caption. Empty if there is none.
       * @example New today
       */
      text: string;
      /**
       * @description Type of the content.
       * @example image
       * @enum {string}
       */
      type: "image" | "video" | "audio" | "document" | "text" | "other";
      /**
       * @description Number of views, as reported by the platform.
       * @example 12
       */
      views: components["schemas"]["Count"];
      /**
       * @description True for voice messages.
       * @example false
       */
      voice: boolean;
    };
    /** @description A person, group or channel on WhatsApp. Unknown values are empty. */
    WhatsAppChat: {
      /**
       * @description JID of the chat, such as `628123@s.whatsapp.net`, `123@lid` or `123@g.us`. Use it as `user`, `group` or `newsletter` in requests.
       * @example 100000000000002@lid
       */
      id: string;
      /**
       * @description Anonymous id of the person, `…@lid`.
       * @example 100000000000002@lid
       */
      lid: string;
      /**
       * @description Name in the account's address book, or else the name that the person shows. Subject of a group.
       * @example Bob Builder
       */
      name: string;
      /**
       * @description Phone number in digits. Empty while the platform has not revealed it.
       * @example 15550100002
       */
      phone: string;
      /**
       * @description Link to a picture. Always empty at present.
       * @example
       */
      thumbnail: string;
      /**
       * @description Username without `@`.
       * @example bob_sandbox
       */
      username: string;
    };
    /** @description A page of the messages of one chat, newest first. */
    WhatsAppChatMessagePage: {
      /** @description The messages, in the form of the event `message.new`. */
      docs: components["schemas"]["WhatsAppMessage"][];
      /**
       * @description Pass it as `before` to get older messages. Empty on the last page.
       * @example 3EB0C431C26A1916E07A
       */
      next: string;
    };
    /** @description A page of chats, the one with the newest message first. */
    WhatsAppChatPage: {
      /** @description The chats. */
      docs: components["schemas"]["WhatsAppListedChat"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example 1732199258000-0
       */
      next: string;
    };
    /** @description A contact in a message. */
    WhatsAppContact: {
      /**
       * @description Name of the contact.
       * @example Carol
       */
      name: string;
      /**
       * @description Number of the contact.
       * @example 15550100003
       */
      phone: string;
    };
    WhatsAppContactMessage: {
      /** @description The contact. */
      contact: components["schemas"]["ContactForm"];
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "contact";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description A page of the account's contacts. */
    WhatsAppContactPage: {
      /** @description The contacts, in the form of `chat` in events. */
      docs: components["schemas"]["WhatsAppChat"][];
      /**
       * @description Pass it as `after` to get the next page. Empty on the last page.
       * @example 100000000000002@lid
       */
      next: string;
    };
    /** @description Body of a webhook request. */
    WhatsAppDeletedGroupMessagesEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["DeletedWhatsAppMessages"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example group.message.deleted
       * @constant
       */
      type: "group.message.deleted";
    };
    /** @description Body of a webhook request. */
    WhatsAppDeletedMessagesEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["DeletedWhatsAppMessages"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.deleted
       * @constant
       */
      type: "message.deleted";
    };
    /** @description Body of a webhook request. */
    WhatsAppDeliveredMessagesEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["DeliveredWhatsAppMessages"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.delivered
       * @constant
       */
      type: "message.delivered";
    };
    WhatsAppDocumentMessage: {
      /** @description Document file. */
      document: components["schemas"]["DocumentForm"];
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Caption.
       * @example Your invoice
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "document";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description The new text of a message of one chat. */
    WhatsAppEditBody: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description The new text, or the new caption on Telegram. The gateway keeps spaces at both ends.
       * @example Your order arrives at six
       */
      text: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description Body of a webhook request. */
    WhatsAppEditedGroupMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example group.message.edited
       * @constant
       */
      type: "group.message.edited";
    };
    /** @description Body of a webhook request. */
    WhatsAppEditedMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.edited
       * @constant
       */
      type: "message.edited";
    };
    /** @description Body of a webhook request. */
    WhatsAppFailedMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["FailedWhatsAppMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.failed
       * @constant
       */
      type: "message.failed";
    };
    /** @description A message to forward, and its recipient. */
    WhatsAppForwardBody: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description The `ref` of the message's event.
       * @example aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw
       */
      ref: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description A group of the account. */
    WhatsAppGroup: {
      /**
       * @description Time of creation. `null` if the platform does not report it.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: null | components["schemas"]["Instant"];
      /**
       * @description Description of the group. Empty if there is none.
       * @example Orders and offers
       */
      description: string;
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      id: string;
      /**
       * @description Name of the group.
       * @example Sales
       */
      name: string;
      /**
       * @description URL of the group's picture. Empty if there is none.
       * @example https://example.com/pictures/sales.jpg
       */
      picture: string;
    };
    /** @description A member of a group. */
    WhatsAppGroupMember: {
      /**
       * @description Member id. Ends in `@s.whatsapp.net`, or in `@lid` if the platform hides the number.
       * @example 15550100002@s.whatsapp.net
       */
      id: string;
      /**
       * @description Name in the account's address book, else the number. Empty for hidden members outside the address book. The account itself has its
       *     own name.
       * @example Bob
       */
      name: string;
      /**
       * @description Phone number in international format. Empty if the platform hides it.
       * @example 15550100002
       */
      phone: string;
    };
    WhatsAppImageMessage: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /** @description Image file. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description One chat, as this session has seen it since it was linked. */
    WhatsAppListedChat: {
      /** @description The other person, the group or the channel. */
      chat: components["schemas"]["WhatsAppChat"];
      /**
       * @description What the chat is.
       * @example person
       */
      kind: components["schemas"]["ChatKind"];
      /** @description Newest message of the chat. */
      last: components["schemas"]["WhatsAppMessage"];
      /**
       * @description Number of received messages that are newer than the account's last message or read mark in this chat, as far as the gateway kept them.
       * @example 2
       */
      unread: components["schemas"]["Count"];
    };
    /** @description A location in a message. Unknown values are empty. */
    WhatsAppLocation: {
      /**
       * @description Address of the place.
       * @example Stephansplatz 1, Vienna
       */
      address: string;
      /**
       * @description Degrees.
       * @example 48.2082
       */
      latitude: number;
      /**
       * @description Degrees.
       * @example 16.3738
       */
      longitude: number;
      /**
       * @description Name of the place.
       * @example Shop
       */
      name: string;
    };
    WhatsAppLocationMessage: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /** @description Location. */
      location: components["schemas"]["LocationForm"];
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "location";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description One message. The fields that Telegram's messages have too have the same meaning. */
    WhatsAppMessage: {
      /**
       * @description Same value in all messages of one album. Empty outside of albums.
       * @example 3EB0A2B1C3D4E5F60718
       */
      albumId: string;
      /**
       * @description True for GIFs.
       * @example false
       */
      animation: boolean;
      /** @description Sender. Present in groups. */
      author?: components["schemas"]["WhatsAppChat"];
      /** @description Other person in a private chat, or the group or channel. */
      chat: components["schemas"]["WhatsAppChat"];
      /** @description Present when `type` is `contact`. */
      contact?: components["schemas"]["WhatsAppContact"];
      /**
       * @description Time of the message. In `message.edited` it is the time of the edit, as WhatsApp does not repeat the first.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Length of audio or video in seconds. 0 otherwise.
       * @example 0
       */
      duration: number;
      /**
       * @description Time of the last edit, in ISO 8601. Empty if never edited.
       * @example 2026-11-21T14:28:00.000Z
       */
      edited: string;
      /** @description Always empty: WhatsApp writes formatting into the text. */
      entities: components["schemas"]["object"][];
      /**
       * @description True if the message was forwarded.
       * @example false
       */
      forwarded: boolean;
      /**
       * @description True if the account sent the message from another device.
       * @example false
       */
      fromMe: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 1200
       */
      height: components["schemas"]["Count"];
      /**
       * @description Id of the message, unique within its chat.
       * @example 3EB0C431C26A1916E07A
       */
      id: string;
      /** @description Present when `type` is `location`. */
      location?: components["schemas"]["WhatsAppLocation"];
      /** @description JIDs of the people that the text mentions. */
      mentions: string[];
      /**
       * @description Media type of the file. Empty without a file.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description File name of a document. Empty otherwise.
       * @example
       */
      name: string;
      /**
       * @description Always empty: WhatsApp does not send performers.
       * @example
       */
      performer: string;
      /** @description Present when `type` is `poll`. */
      poll?: components["schemas"]["WhatsAppPoll"];
      /**
       * @description Sealed reference to the message, at most 1,024 characters. Absent in events that an earlier version stored.
       * @example aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw
       */
      ref?: string;
      /**
       * @description Id of the message that this message replies to. Empty otherwise.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo: string;
      /**
       * @description True for round video messages.
       * @example false
       */
      round: boolean;
      /**
       * @description Size of the file at `url` in bytes. 0 without media.
       * @example 105825
       */
      size: components["schemas"]["Count"];
      /**
       * @description Text, caption or question of a poll. Empty if there is none.
       * @example Is this cake still there, @15550100001?
       */
      text: string;
      /**
       * @description Signed link to the thumbnail. Empty if there is none.
       * @example http://127.0.0.1:8080/whatsapp/media/6b01aa5342b4f53c9f4c7e33/100000000000002@lid/3EB0C431C26A1916E07A/thumb/aKbqdZUT2tdJ0VDWYbEL1TMyOht0.jpg
       */
      thumbnail: string;
      /**
       * @description Always empty: WhatsApp does not send titles.
       * @example
       */
      title: string;
      /**
       * @description Type of the content.
       * @example image
       * @enum {string}
       */
      type: "image" | "video" | "audio" | "document" | "sticker" | "text" | "poll" | "location" | "contact" | "other";
      /**
       * @description Signed link to the file. Empty without media.
       * @example http://127.0.0.1:8080/whatsapp/media/6b01aa5342b4f53c9f4c7e33/100000000000002@lid/3EB0C431C26A1916E07A/file/aTUb_LcflPGV6HtpS_dybURhJX6Y.jpg
       */
      url: string;
      /**
       * @description True for media that may be viewed once. Its `type` is `other`, and its file is not available.
       * @example false
       */
      viewOnce: boolean;
      /**
       * @description True for voice messages.
       * @example false
       */
      voice: boolean;
      /**
       * @description Pixels. 0 if unknown.
       * @example 1600
       */
      width: components["schemas"]["Count"];
    };
    /** @description A message of one of seven types to one recipient. */
    WhatsAppMessageBody:
      | components["schemas"]["WhatsAppTextMessage"]
      | components["schemas"]["WhatsAppImageMessage"]
      | components["schemas"]["WhatsAppVideoMessage"]
      | components["schemas"]["WhatsAppAudioMessage"]
      | components["schemas"]["WhatsAppDocumentMessage"]
      | components["schemas"]["WhatsAppLocationMessage"]
      | components["schemas"]["WhatsAppContactMessage"];
    /** @description Body of a webhook request. */
    WhatsAppNewChannelMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example channel.message.new
       * @constant
       */
      type: "channel.message.new";
    };
    /** @description Body of a webhook request. */
    WhatsAppNewGroupMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example group.message.new
       * @constant
       */
      type: "group.message.new";
    };
    /** @description Body of a webhook request. */
    WhatsAppNewMessageEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppMessage"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.new
       * @constant
       */
      type: "message.new";
    };
    /** @description A poll in a message. */
    WhatsAppPoll: {
      /**
       * @description True if a person may choose several options.
       * @example false
       */
      multiple: boolean;
      /** @description Texts of the options. */
      options: string[];
    };
    /** @description A poll, and its recipient. */
    WhatsAppPollBody: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description True if people may choose several options. Default: false.
       * @example true
       */
      multiple?: boolean;
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /** @description 2 to 12 different texts, each of at most 100 characters. */
      options: string[];
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Question, at most 255 characters.
       * @example When do we meet?
       */
      question: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description A reaction to a message. */
    WhatsAppReaction: {
      /** @description Person who reacted. Present in groups. */
      author?: components["schemas"]["WhatsAppChat"];
      /** @description Chat of the message. */
      chat: components["schemas"]["WhatsAppChat"];
      /**
       * @description Empty if the reaction was removed.
       * @example 👍
       */
      emoji: string;
      /**
       * @description True if the account reacted from another device.
       * @example false
       */
      fromMe: boolean;
      /**
       * @description Id of the message that the reaction belongs to.
       * @example 3EB0B430B6F8F1D0E053
       */
      messageId: string;
    };
    /** @description A reaction to a message of one chat. */
    WhatsAppReactionBody: {
      /**
       * @description Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
       *     people in groups. Telegram ignores it.
       * @example 123456789012345@lid
       */
      author?: string;
      /**
       * @description The emoji, at most 64 bytes. An empty text removes the account's reaction.
       * @example 👍
       */
      emoji: string;
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363041234567890@g.us
       */
      group?: string;
      /**
       * @description Id of the message, at most 256 bytes.
       * @example 3EB0C431C26A1916E07A
       */
      messageId: string;
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description Body of a webhook request. */
    WhatsAppReactionEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["WhatsAppReaction"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.reaction
       * @constant
       */
      type: "message.reaction";
    };
    /** @description A message of one chat. */
    WhatsAppReadMarkBody: {
      /**
       * @description Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
       *     people in groups. Telegram ignores it.
       * @example 123456789012345@lid
       */
      author?: string;
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363041234567890@g.us
       */
      group?: string;
      /**
       * @description Id of the message, at most 256 bytes.
       * @example 3EB0C431C26A1916E07A
       */
      messageId: string;
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description Body of a webhook request. */
    WhatsAppReadMessagesEvent: {
      /**
       * @description Time of the event on the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description Data of the event. */
      data: components["schemas"]["ReadWhatsAppMessages"];
      /**
       * @description Id of the event. Retries have the same id, so a receiver can skip events that it has seen.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description What happened.
       * @example message.read
       * @constant
       */
      type: "message.read";
    };
    /** @description The account of a session, and the state of its login. */
    WhatsAppSessionRecord: {
      /**
       * @description Id of the account on the platform. Empty before the first login.
       * @example 15550100001@s.whatsapp.net
       */
      generatedId: string;
      /**
       * @description Id of the session, 24 hex digits. Not secret: media links contain it.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description True while the account is logged in and connected.
       * @example true
       */
      isConnected: boolean;
      /**
       * @description True if the code was scanned and the account needs its two-step password.
       * @example false
       */
      isPasswordRequired: boolean;
      /**
       * @description Reason why the session is not connected, such as a logout on the phone. Absent while the session is connected, and if there was no
       *     error.
       * @example login was ended by the platform
       */
      lastError?: string;
      /**
       * @description Name of the account, or its username, phone number or id if it has no name.
       * @example Alice
       */
      name: string;
      /**
       * @description Eight characters to enter on the phone. Empty unless the session was created with `phone` and is waiting for the code.
       * @example
       */
      pairingCode: string;
      /**
       * @description Hint for the password, or the reason why the account cannot log in. May be empty.
       * @example
       */
      passwordHint: string;
      /**
       * @description Phone number of the account in international format.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description Small profile photo as a data URI. May be empty.
       * @example
       */
      picture: string;
      /**
       * @description QR code as a PNG in base64, without a `data:` prefix. Changes about every 30 seconds. Empty in the first seconds, and if there is
       *     no code to scan.
       * @example
       */
      qrcode: string;
      /**
       * @description Secret of the session, as sent in the request. Empty if the request used an API key.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      sessionId: string;
      /**
       * @description Username without `@`. Empty if there is none.
       * @example
       */
      username: string;
      /** @description Settings of the webhook. */
      webhook: components["schemas"]["WebhookSettings"];
    };
    /** @description A status of one of three types. The account's privacy setting decides the audience. */
    WhatsAppStatusBody:
      | components["schemas"]["TextForm"]
      | components["schemas"]["ImageContentForm"]
      | components["schemas"]["VideoContentForm"];
    /** @description Returned when the platform's server has accepted the status. */
    WhatsAppStatusOutput: {
      /**
       * @description The platform's id of the status.
       * @example 3EB0C431C26A1916E07B
       */
      statusId: string;
    };
    /** @description A sticker, and its recipient. */
    WhatsAppStickerBody: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /** @description Picture of the sticker. The gateway fits it into a transparent square of 512 pixels. Only the first frame of an animation is sent. */
      image: components["schemas"]["PictureForm"];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    WhatsAppTextMessage: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Text. The gateway keeps spaces at both ends.
       * @example Your order is on its way
       */
      text: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description A typing indicator for one recipient. */
    WhatsAppTypingBody: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description `text` shows that the account is typing, `audio` that it is recording a voice message. Default: `text`.
       * @example audio
       * @enum {string}
       */
      type?: "audio" | "text";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    WhatsAppVideoMessage: {
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
       *     `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
       */
      mentions?: string[];
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole.
       * @example 3EB0B430B6F8F1D0E053
       */
      replyTo?: string;
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description Type of the content. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
      /** @description Video file. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description A voice message, and its recipient. */
    WhatsAppVoiceBody: {
      /** @description Ogg file with Opus. It arrives as a voice message. */
      audio: components["schemas"]["VoiceFileForm"];
      /**
       * @description Group id, ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
       *     brackets, dots and slashes. It also accepts an integer.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
       * @example 100000000000002@lid
       */
      user?: string;
    };
    /** @description Settings of the webhook. Fill in `url` and `token`, or leave both empty to turn the webhook off. */
    WhatsAppWebhookForm: {
      /**
       * @description Types of the events that the receiver gets. A list replaces the default, which is `message.new`, `message.edited`, `message.deleted`
       *     and `message.read` of private chats. The gateway ignores duplicates.
       */
      events?: (
        | "message.new"
        | "message.edited"
        | "message.deleted"
        | "message.read"
        | "session.state"
        | "session.expiring"
        | "message.delivered"
        | "message.reaction"
        | "message.failed"
        | "group.message.new"
        | "group.message.edited"
        | "group.message.deleted"
        | "group.changed"
        | "channel.message.new"
        | "call.offered"
      )[];
      /**
       * @description Secret of the signature, also sent in the header `x-token`: printable ASCII without spaces at the ends, at most 2,048 bytes.
       * @example s3cret
       */
      token: string;
      /**
       * @description URL of the receiver: `http` or `https`, at most 2,048 bytes. Local addresses are allowed unless the deployment forbids them.
       * @example https://example.com/hooks/trunkline
       */
      url: string;
    };
  };
  responses: never;
  parameters: {
    /**
     * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
     * @example order-4711-confirmed
     */
    IdempotencyKey: string;
    /**
     * @description Id of the last event that you received. The stream resumes after it. The gateway keeps 50,000 events.
     * @example 1795000000000-0
     */
    LastEventId: string;
    /**
     * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
     * @example order-4711
     */
    RequestId: string;
    /**
     * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
     * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     */
    TraceParent: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Compression of the body. Bodies from 1 KiB are compressed if the request's `Accept-Encoding` allows it.
     * @example gzip
     */
    ContentEncoding: "br" | "gzip";
    /**
     * @description Error code for programs. Every error has it.
     * @example session-not-connected
     */
    ErrorCode:
      | "invalid-request"
      | "invalid-key"
      | "not-allowed"
      | "not-found"
      | "wrong-method"
      | "too-slow"
      | "conflict"
      | "too-large"
      | "range-not-satisfiable"
      | "idempotency-key-reused"
      | "too-many-requests"
      | "session-not-connected"
      | "session-not-ready"
      | "platform-refused"
      | "platform-wait"
      | "platform-silent"
      | "file-not-usable"
      | "no-status-audience"
      | "send-timeout"
      | "internal"
      | "busy";
    /**
     * @description `true` if this is the response to an earlier request with the same `Idempotency-Key`.
     * @example true
     */
    IdempotencyReplayed: "true";
    /**
     * @description JSON responses must not be cached.
     * @example no-store
     */
    NoStore: "no-store";
    /**
     * @description Error code of the platform, if the platform rejected the request with a code (`x-error-code: platform-refused`).
     * @example CHAT_ADMIN_REQUIRED
     */
    PlatformError: string;
    /**
     * @description Remaining requests, and seconds until the full limit is available. Present if the tenant has a rate limit.
     * @example "requests";r=19;t=1
     */
    RateLimit: string;
    /**
     * @description Rate limit: the number of requests, and the seconds until as many are available again. Present if the tenant has a rate limit.
     * @example "requests";q=20;w=2
     */
    RateLimitPolicy: string;
    /**
     * @description Id of the request in logs and in the audit log: the request's `x-request-id`, else the trace id of its `traceparent`, else a random id. Every response has it.
     * @example 4bf92f3577b34da6a3ce929d0e0e4736
     */
    RequestId: string;
    /**
     * @description Seconds to wait before a retry.
     * @example 1
     */
    RetryAfter: number;
    /**
     * @description Tells proxies not to buffer the response.
     * @example no
     */
    Unbuffered: "no";
    /**
     * @description Request headers that change the response.
     * @example Accept-Encoding
     */
    Vary: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  adminListAudit: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example
         */
        after?: string;
        /**
         * @description Most rows per page, 1 to 1,000.
         * @example 100
         */
        limit?: number;
        /**
         * @description Sort order.
         * @example newest
         */
        order?: "oldest" | "newest";
        /**
         * @description `0` leaves out calls that only read.
         * @example 0
         */
        reads?: "0" | "1";
        /**
         * @description Only entries of this session.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        session?: string;
        /**
         * @description Only entries from this time on.
         * @example 2026-11-22T10:00:00Z
         */
        since?: components["schemas"]["Instant"];
        /**
         * @description Only entries of this tenant.
         * @example acme
         */
        tenant?: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageAuditRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must be given once, with at most 256 characters`: A query parameter was sent twice or is too long. The message contains the parameter.
       *     * `after must be the next of a previous page`: `after` is not the `next` of an earlier page.
       *     * `session must be a database id`: The parameter is not a session id.
       *     * `since must be a time such as 2026-11-22T10:00:00Z`: The parameter is not a time with a time zone.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminStreamEvents: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Id of the last event that you received. The stream resumes after it. The gateway keeps 50,000 events.
         * @example 1795000000000-0
         */
        "Last-Event-ID"?: components["parameters"]["LastEventId"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Server-sent events. Each event type has a schema for its data: `LiveSessionEvent`, `LiveCodeEvent`, `LiveDeliveriesEvent`, `LiveSlotsEvent`, `LiveLoadEvent`, `LiveMemberEvent`, `LiveRotationEvent`, `LiveMissedEvent` and `LiveEndEvent`. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "X-Accel-Buffering": components["headers"]["Unbuffered"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `last-event-id must be the id of an event`: `Last-Event-ID` is not the id of an event.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many event streams`: The router has 200 streams, or the key has 8. Retry, or use another router.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminGetKeyring: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EncryptionKeys"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminRotateKeyring: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ActiveKeyForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EncryptionKeys"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `key must be one letter or digit`: `key` is not the name of a key.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `key b is missing in CRED_KEYS of router-1, shard-2`: Some processes do not have the key. The message lists them. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminListKeys: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example
         */
        after?: string;
        /**
         * @description Most rows per page, 1 to 1,000.
         * @example 100
         */
        limit?: number;
        /**
         * @description Only keys of this tenant.
         * @example acme
         */
        tenant?: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageApiKey"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must be given once, with at most 256 characters`: A query parameter was sent twice or is too long. The message contains the parameter.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminCreateKey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewKeyForm"];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedKey"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `tenant not found`: The tenant does not exist. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `key limit reached`: The deployment has 10,000 keys, the maximum. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminDeleteKey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the key, 20 hex digits.
         * @example 6b01aa5342b4f53c9f4c
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `key not found`: The key does not exist or was revoked. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminChangeKey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the key, 20 hex digits.
         * @example 6b01aa5342b4f53c9f4c
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["KeyChangeForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `key not found`: The key does not exist or was revoked. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminListMembers: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example
         */
        after?: string;
        /**
         * @description Most rows per page, 1 to 1,000.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageMemberRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must be given once, with at most 256 characters`: A query parameter was sent twice or is too long. The message contains the parameter.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminDrainMember: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Name of a shard.
         * @example shard-1
         */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MemberRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `member must be a shard`: The process is a router or a supervisor, which have no slots.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `member not found`: No process has that name. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `member is the last active shard and cannot be drained`: No other shard could take the slots. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminUndrainMember: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Name of a shard.
         * @example shard-1
         */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MemberRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `member must be a shard`: The process is a router or a supervisor, which have no slots.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `member not found`: No process has that name. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminGetSelf: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CurrentKey"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminListSessions: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example
         */
        after?: string;
        /**
         * @description Only sessions with exactly this label.
         * @example till 7
         */
        label?: string;
        /**
         * @description Most rows per page, 1 to 1,000.
         * @example 100
         */
        limit?: number;
        /**
         * @description Only sessions of this shard.
         * @example shard-1
         */
        member?: string;
        /**
         * @description Only sessions of this platform.
         * @example telegram
         */
        platform?: "whatsapp" | "telegram";
        /**
         * @description Searches for a part of a phone number, username, name or label, or for the start of an id.
         * @example 5550100
         */
        q?: string;
        /**
         * @description Only sessions in this state.
         * @example connected
         */
        state?: "awaiting-password" | "connected" | "disconnected" | "awaiting-qr";
        /**
         * @description Only sessions of this tenant.
         * @example acme
         */
        tenant?: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of sessions; as `application/x-ndjson` all sessions, one line of JSON for each. The `application/x-ndjson` schema describes one line. If the response is cut short, the last line is an error. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "X-Accel-Buffering": components["headers"]["Unbuffered"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageSessionRow"];
          "application/x-ndjson": components["schemas"]["SessionRow"] | components["schemas"]["Error"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must be given once, with at most 256 characters`: A query parameter was sent twice or is too long. The message contains the parameter.
       *     * `after must be the next of a previous page`: `after` is not the `next` of an earlier page.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminGetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionDetails"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminDeleteSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The result is unknown. The gateway does not retry, because the action could then happen twice.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminListDeadLetters: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example
         */
        after?: string;
        /**
         * @description Most rows per page, 1 to 100.
         * @example 50
         */
        limit?: number;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeadLetterPage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `after must be the next of a previous page`: `after` is not the `next` of an earlier page.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminReplayDeadLetters: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReplayOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `webhook is off`: The session has no webhook. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The result is unknown. The gateway does not retry, because the action could then happen twice.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminMoveSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MemberForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MovedSession"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `member must be a shard`: The process is a router or a supervisor, which have no slots.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted.
       *     * `member not found`: No process has that name.
       */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `member is drained or offline`: The shard is drained, stopping or dead. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminSetProxy: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProxyForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionProxy"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminRemoveProxy: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionProxy"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminRestartSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminUndeleteSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       *     * `session quota reached`: The tenant has reached its limit of sessions.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session is not deleted`: The session is not deleted. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminRetryWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetryOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `webhook is off`: The session has no webhook. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminSendTestEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the session, 24 hex digits.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestEventOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `webhook is off`: The session has no webhook.
       *     * `too many events wait for the webhook`: 10,000 events or 16 MiB are pending. A test event would replace a real event.
       */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The result is unknown. The gateway does not retry, because the action could then happen twice.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminChangeSessions: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BulkForm"];
      };
    };
    responses: {
      /** @description One line of JSON for each session, sent when that session is done. The `application/x-ndjson` schema describes one line. If the response is cut short, the last line is an error. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "X-Accel-Buffering": components["headers"]["Unbuffered"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/x-ndjson": components["schemas"]["BulkResult"] | components["schemas"]["Error"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminSignIn: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignInForm"];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignInOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid sign-in code`: The code is wrong, expired or already used. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `key limit reached`: The deployment has 10,000 keys, the maximum. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminListSlots: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example 2740
         */
        after?: string;
        /**
         * @description Most rows per page, 1 to 1,000.
         * @example 1000
         */
        limit?: number;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageSlotAssignment"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must be given once, with at most 256 characters`: A query parameter was sent twice or is too long. The message contains the parameter.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminGetSlot: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Number of the slot, 0 to 4095.
         * @example 2741
         */
        slot: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SlotRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `slot not found`: The number is larger than that of the last slot. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminPinSlot: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Number of the slot, 0 to 4095.
         * @example 2741
         */
        slot: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MemberForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SlotRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `member must be a shard`: The process is a router or a supervisor, which have no slots.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `slot not found`: The number is larger than that of the last slot.
       *     * `member not found`: No process has that name.
       */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminUnpinSlot: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Number of the slot, 0 to 4095.
         * @example 2741
         */
        slot: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SlotRow"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `slot not found`: The number is larger than that of the last slot. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminListTenants: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty for the first page.
         * @example
         */
        after?: string;
        /**
         * @description Most rows per page, 1 to 1,000.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageTenant"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must be given once, with at most 256 characters`: A query parameter was sent twice or is too long. The message contains the parameter.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminCreateTenant: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewTenantForm"];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tenant"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `quotas.burst needs quotas.requestsPerSecond`: `burst` needs `requestsPerSecond`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `tenant exists`: A tenant with this name exists.
       *     * `tenant limit reached`: The deployment has 10,000 tenants, the maximum.
       */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminGetTenant: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Name of the tenant.
         * @example acme
         */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tenant"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `tenant not found`: The tenant does not exist. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminDeleteTenant: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Name of the tenant.
         * @example acme
         */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TenantReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `tenant not found`: The tenant does not exist. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `tenant default always exists`: The tenant `default` cannot be deleted.
       *     * `tenant has sessions`: The tenant has sessions. Delete them first.
       */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  adminChangeTenant: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Name of the tenant.
         * @example acme
         */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TenantChangeForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Tenant"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `quotas.burst needs quotas.requestsPerSecond`: `burst` needs `requestsPerSecond`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, administration is possible from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `tenant not found`: The tenant does not exist. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListChannels: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["TelegramChannel"][];
          };
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramGetChannel: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Channel id, at most 256 bytes. On Telegram also the username of a public channel.
         * @example -1002000000001
         */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramChannel"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListChannelMessages: {
    parameters: {
      query: {
        /**
         * @description Returns messages older than this id. Absent or 0: starts with the newest message.
         * @example 0
         */
        before?: number;
        /**
         * @description Channel id, at most 256 bytes. On Telegram also the username of a public channel.
         * @example -1002000000001
         */
        channelId: string;
        /**
         * @description Messages per page, 1 to 100.
         * @example 50
         */
        limit?: number;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["TelegramChannelMessage"][];
          };
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListChats: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty: the first page.
         * @example _1732199259.302.5100000003_
         */
        after?: string;
        /**
         * @description Entries per page, 1 to 100.
         * @example 50
         */
        limit?: components["schemas"]["PageLimit"];
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramChatPage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `after is not valid`: `after` is not the `next` of a page.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListChatMessages: {
    parameters: {
      query: {
        /**
         * @description Returns messages older than the one with this id. Absent, empty or 0: starts with the newest message.
         * @example 302
         */
        before?: number;
        /**
         * @description Id of a person, group or channel, such as `chat.id` of an event, a username, or a short link such as `t.me/name`.
         * @example 5100000001
         */
        chat: string;
        /**
         * @description Messages per page, 1 to 100.
         * @example 50
         */
        limit?: components["schemas"]["PageLimit"];
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramChatMessagePage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListContacts: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty: the first page.
         * @example 5100000000
         */
        after?: string;
        /**
         * @description Entries per page, 1 to 100.
         * @example 50
         */
        limit?: components["schemas"]["PageLimit"];
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramContactPage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `after is not valid`: `after` is not the `next` of a page.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListGroups: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["TelegramGroup"][];
          };
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramGetGroup: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Group id (starts with `-`) or username of a public group, at most 256 bytes.
         * @example -1001000000001
         */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramGroup"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramListGroupMembers: {
    parameters: {
      query: {
        /**
         * @description Group id (starts with `-`) or username of a public group, at most 256 bytes.
         * @example -1001000000001
         */
        groupId: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["TelegramGroupMember"][];
          };
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramGetMedia: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Entity tags of copies that the client already has.
         * @example "6f1c"
         */
        "If-None-Match"?: string;
        /**
         * @description Entity tag. The range applies only if the file still has this tag.
         * @example "6f1c"
         */
        "If-Range"?: string;
        /**
         * @description One range of bytes. The gateway ignores several ranges and other units.
         * @example bytes=0-1048575
         */
        Range?: string;
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the chat with the file.
         * @example -1002000000001
         */
        chatId: string;
        /**
         * @description File extension.
         * @example jpg
         */
        ext: string;
        /**
         * @description Id of the message, or of the profile photo.
         * @example 101
         */
        messageId: string;
        /**
         * @description Id of the session that has access to the file.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        platformId: string;
        /**
         * @description Signature of the link.
         * @example aTUb_LcflPGV6HtpS_dybURhJX6Y
         */
        signature: string;
        /**
         * @description `photo`: the largest size, up to 2560 pixels; `thumb`: the thumbnail; `file`: a video, sticker or document; `profile`: a small profile photo.
         * @example photo
         */
        variant: "photo" | "thumb" | "file" | "profile";
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The whole file. */
      200: {
        headers: {
          /**
           * @description The file can be requested in ranges.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may cache the file for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Tells a browser to show or to save the file, with a file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Stops browsers from running scripts in the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description Stops browsers from guessing the media type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "*/*": unknown;
        };
      };
      /** @description The requested range, up to the end of the file. */
      206: {
        headers: {
          /**
           * @description The file can be requested in ranges.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may cache the file for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Tells a browser to show or to save the file, with a file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Range of the response and size of the file. With status 416 the size only.
           * @example bytes 0-1048575/5242880
           */
          "Content-Range"?: string;
          /**
           * @description Stops browsers from running scripts in the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description Stops browsers from guessing the media type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "*/*": unknown;
        };
      };
      /** @description The file has not changed: `If-None-Match` has its tag. */
      304: {
        headers: {
          /**
           * @description The file can be requested in ranges.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may cache the file for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Tells a browser to show or to save the file, with a file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Stops browsers from running scripts in the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description Stops browsers from guessing the media type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description * `platformId must be a database id`: The link was changed. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `media not found`: The link was changed, its message was deleted, or the platform no longer has the file. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `range not satisfiable`: The range starts after the end of the file. */
      416: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          /**
           * @description Range of the response and size of the file. With status 416 the size only.
           * @example bytes 0-1048575/5242880
           */
          "Content-Range"?: string;
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `telegram asked to wait 12s` (platform-wait): The platform limits the account's media requests. Wait for `Retry-After` seconds.
       *     * `telegram did not answer the media request in time` (platform-silent): The platform did not respond within 30 seconds.
       *     * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramMessageBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `type must be one of the following values: text, image, video`: The call does not support this `type`.
       *     * `contact.phone must be a number in international format`: The contact's phone number does not have 5 to 15 digits.
       *     * `each value in mentions must be a user`: An element of `mentions` is not the id of a person, or on WhatsApp a phone number.
       *     * `mentions must have at most 1024 elements`: `mentions` has more than 1,024 elements.
       *     * `ref is not valid`: The `ref` was changed, or belongs to another account or tenant. For `replyTo`, also if it is not the id of a message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `error compress image: unsupported image format, found application/pdf` (file-not-usable): The image could not be processed. Supported: JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramDeleteMessage: {
    parameters: {
      query?: {
        /**
         * @description Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
         *     people in groups. Telegram ignores it.
         * @example 987654321
         */
        author?: string;
        /**
         * @description Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post.
         * @example alice_news
         */
        channel?: string;
        /**
         * @description Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer.
         * @example -4000001
         */
        group?: string;
        /**
         * @description Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A.
         * @example 15550100002
         */
        phone?: string;
        /**
         * @description User id on the platform, such as from a list of group members, or a username or short link.
         * @example 987654321
         */
        user?: string;
        /**
         * @description Username with or without `@`, or a short link.
         * @example bob_sandbox
         */
        username?: string;
      };
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the message, at most 256 bytes.
         * @example 1000301
         */
        messageId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedMessage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `message not found`: The chat has no such message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramEditMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the message, at most 256 bytes.
         * @example 1000301
         */
        messageId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramEditBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedMessage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `message not found`: The chat has no such message.
       *     * `text should not be empty`: `text` has no visible characters.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendAlbum: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramAlbumBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AlbumOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `items must have 2 to 10 elements`: `items` is missing, is not a list, or does not have 2 to 10 elements.
       *     * `each value in items must have either image or video`: An element of `items` is not an object, or does not have exactly one of `image` and `video`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `error compress image: unsupported image format, found application/pdf` (file-not-usable): The image could not be processed. Supported: JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramForwardMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramForwardBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `ref is not valid`: The `ref` was changed, or belongs to another account or tenant. For `replyTo`, also if it is not the id of a message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendPoll: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramPollBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `options must have 2 to 12 elements`: `options` is missing, is not a list, or does not have 2 to 12 elements.
       *     * `each value in options must be a different text of 1 to 100 characters`: An element of `options` is not a text, is empty, has more than 100 characters, or equals another one.
       *     * `multiple must be true or false`: `multiple` is neither `true` nor `false`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendReaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramReactionBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedMessage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `message not found`: The chat has no such message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramReadMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramReadMarkBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendSticker: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramStickerBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `error compress image: unsupported image format, found application/pdf` (file-not-usable): The image could not be processed. Supported: JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendVoice: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramVoiceBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user, group or channel`: The body has none of the five recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `channel not found`: The chat is not a channel, or the account has not joined it.
       *     * `audio must be an ogg file with opus`: The file at `audio.url` is not an Ogg file with Opus, the format that both platforms play as a voice message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramLookUpPhones: {
    parameters: {
      query: {
        /**
         * @description 1 to 50 phone numbers in international format, separated by commas. The parameter may also be repeated.
         * @example 15550100002,15550100999
         */
        phone: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["FoundPhone"][];
          };
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `phone must be 1 to 50 numbers`: `phone` is missing, or has more than 50 numbers.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramGetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramSessionRecord"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramCreateSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NewSessionForm"];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionCredentials"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, sessions can be created from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       *     * `session quota reached`: The tenant has reached its limit of sessions.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `telegram is off: the gateway has no telegram application`: The gateway runs without Telegram. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramDeleteSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSubmitPassword: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid password`: The two-step password is wrong.
       *     * `password is not required`: The session is not waiting for a password.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       *     * `A wait of 1800 seconds is required` (platform-wait): Five attempts within an hour had a wrong password.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramResetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `telegram is off: the gateway has no telegram application`: The gateway runs without Telegram. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSetWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramWebhookForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `url and token must be both filled, or both empty to turn the webhook off`: The body has only one of `url` and `token`.
       *     * `url must be an http or https url`: `url` is not a valid `http` or `https` URL.
       *     * `token must be printable ascii without spaces around it`: `token` cannot be sent in a header.
       *     * `each value in events must be one of the following values: message.new, message.edited, …`: `events` has a type that the platform does not have. The message lists the platform's types.
       *     * `url must not point to an address that webhooks cannot use`: The address of the receiver is a metadata, link-local or reserved address, or belongs to the gateway.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramPostStatus: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramStatusBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TelegramStatusOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `type must be one of the following values: text, image, video`: The call does not support this `type`.
       *     * `text should not be empty`: `text` has no visible characters.
       *     * `text has characters that cannot be drawn: 𒀀 (U+12000)`: The text has characters that no font of the gateway can draw. The message lists them.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `error compress image: unsupported image format, found application/pdf` (file-not-usable): The image could not be processed. Supported: JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  telegramSendTyping: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TelegramTypingBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, username, user or group`: The body has none of the four recipient fields.
       *     * `invalid receiver`: `phone` has fewer than 8 digits.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner does not allow lookups by number.
       *     * `invalid chat`: The id or username is malformed.
       *     * `chat not found`: The username does not exist, or the account has not met the id yet.
       *     * `group not found`: The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.
       *     * `type must be one of the following values: text, image, video`: The call does not support this `type`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform rejected the request. The message contains its error.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListChannels: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["WhatsAppChannel"][];
          };
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `channels could not be listed` (platform-refused): The platform rejected the request without a reason.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappGetChannel: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Channel id, at most 256 bytes. On Telegram also the username of a public channel.
         * @example 120363144038483540@newsletter
         */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppChannel"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `channel not found` (not-found): The account cannot see the channel.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListChannelMessages: {
    parameters: {
      query: {
        /**
         * @description Returns messages older than this id. Absent or 0: starts with the newest message.
         * @example 0
         */
        before?: number;
        /**
         * @description Channel id, at most 256 bytes. On Telegram also the username of a public channel.
         * @example 120363144038483540@newsletter
         */
        channelId: string;
        /**
         * @description Messages per page, 1 to 100.
         * @example 50
         */
        limit?: number;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["WhatsAppChannelMessage"][];
          };
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `channel not found` (not-found): The account cannot see the channel.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListChats: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty: the first page.
         * @example 1732199259000-0
         */
        after?: string;
        /**
         * @description Entries per page, 1 to 100.
         * @example 50
         */
        limit?: components["schemas"]["PageLimit"];
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppChatPage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `after is not valid`: `after` is not the `next` of a page.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `history is off: the gateway keeps no messages`: The operator has set `HISTORY_MESSAGES` to 0. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListChatMessages: {
    parameters: {
      query: {
        /**
         * @description Returns messages older than the one with this id. Absent or empty: starts with the newest message.
         * @example 3EB0B430B6F8F1D0E053
         */
        before?: string;
        /**
         * @description Id of a person, group or channel, such as `chat.id` of an event.
         * @example 100000000000002@lid
         */
        chat: string;
        /**
         * @description Messages per page, 1 to 100.
         * @example 50
         */
        limit?: components["schemas"]["PageLimit"];
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppChatMessagePage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `chat must be the id of a person, group or channel`: `chat` is malformed.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `history is off: the gateway keeps no messages`: The operator has set `HISTORY_MESSAGES` to 0. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListContacts: {
    parameters: {
      query?: {
        /**
         * @description `next` of the previous page. Absent or empty: the first page.
         * @example 15550100001@s.whatsapp.net
         */
        after?: string;
        /**
         * @description Entries per page, 1 to 100.
         * @example 50
         */
        limit?: components["schemas"]["PageLimit"];
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppContactPage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `after is not valid`: `after` is not the `next` of a page.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `contacts not synced, reconnect the session` (no-status-audience): The phone has not sent its address book, or it cannot be read.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListGroups: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["WhatsAppGroup"][];
          };
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappGetGroup: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Group id, ends in `@g.us`.
         * @example 120363025246125486@g.us
         */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppGroup"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `groupId must be a group id that ends in @g.us`: `groupId` is malformed.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `group not found` (not-found): The account is not in the group.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappListGroupMembers: {
    parameters: {
      query: {
        /**
         * @description Group id, ends in `@g.us`.
         * @example 120363025246125486@g.us
         */
        groupId: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["WhatsAppGroupMember"][];
          };
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `groupId must be a group id that ends in @g.us`: `groupId` is malformed.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `group not found` (not-found): The account is not in the group.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappGetMedia: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Entity tags of copies that the client already has.
         * @example "6f1c"
         */
        "If-None-Match"?: string;
        /**
         * @description Entity tag. The range applies only if the file still has this tag.
         * @example "6f1c"
         */
        "If-Range"?: string;
        /**
         * @description One range of bytes. The gateway ignores several ranges and other units.
         * @example bytes=0-1048575
         */
        Range?: string;
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the chat with the file.
         * @example 6281234567890@s.whatsapp.net
         */
        chatId: string;
        /**
         * @description File extension.
         * @example jpg
         */
        ext: string;
        /**
         * @description Id of the message.
         * @example 3EB0C431C26A1916E07A
         */
        messageId: string;
        /**
         * @description Id of the session that has access to the file.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        platformId: string;
        /**
         * @description Sealed facts of the file, such as its encryption key.
         * @example aTUb_LcflPGV6HtpS_dybURhJX6YqB8n2Vw0kM3sC1oZr5uQe7tL9xDgFhJ4iKpA
         */
        signature: string;
        /**
         * @description `file`: the whole file; `thumb`: its thumbnail.
         * @example file
         */
        variant: "file" | "thumb";
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The whole file. */
      200: {
        headers: {
          /**
           * @description The file can be requested in ranges.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may cache the file for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Tells a browser to show or to save the file, with a file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Stops browsers from running scripts in the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description Stops browsers from guessing the media type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "*/*": unknown;
        };
      };
      /** @description The requested range, up to the end of the file. */
      206: {
        headers: {
          /**
           * @description The file can be requested in ranges.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may cache the file for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Tells a browser to show or to save the file, with a file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Range of the response and size of the file. With status 416 the size only.
           * @example bytes 0-1048575/5242880
           */
          "Content-Range"?: string;
          /**
           * @description Stops browsers from running scripts in the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description Stops browsers from guessing the media type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "*/*": unknown;
        };
      };
      /** @description The file has not changed: `If-None-Match` has its tag. */
      304: {
        headers: {
          /**
           * @description The file can be requested in ranges.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may cache the file for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Tells a browser to show or to save the file, with a file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Stops browsers from running scripts in the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description Stops browsers from guessing the media type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description * `platformId must be a database id`: The link was changed. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `media not found`: The link was changed, its message was deleted, or the platform no longer has the file. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `range not satisfiable`: The range starts after the end of the file. */
      416: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          /**
           * @description Range of the response and size of the file. With status 416 the size only.
           * @example bytes 0-1048575/5242880
           */
          "Content-Range"?: string;
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `whatsapp asked to wait 12s` (platform-wait): The media host limits the account's requests. Wait for `Retry-After` seconds.
       *     * `whatsapp did not answer the media request in time` (platform-silent): The media host did not respond within 30 seconds, or the phone did not upload the file again within that time.
       *     * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppMessageBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `type must be one of the following values: text, image, video`: The call does not support this `type`.
       *     * `contact.phone must be a number in international format`: The contact's phone number does not have 5 to 15 digits.
       *     * `each value in mentions must be a user`: An element of `mentions` is not the id of a person, or on WhatsApp a phone number.
       *     * `mentions must have at most 1024 elements`: `mentions` has more than 1,024 elements.
       *     * `ref is not valid`: The `ref` was changed, or belongs to another account or tenant. For `replyTo`, also if it is not the id of a message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappDeleteMessage: {
    parameters: {
      query?: {
        /**
         * @description Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
         *     people in groups. Telegram ignores it.
         * @example 123456789012345@lid
         */
        author?: string;
        /**
         * @description Group id, ends in `@g.us`.
         * @example 120363041234567890@g.us
         */
        group?: string;
        /**
         * @description Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages.
         * @example 120363049876543210@newsletter
         */
        newsletter?: string;
        /**
         * @description Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
         *     brackets, dots and slashes. It also accepts an integer.
         * @example 15550100002
         */
        phone?: string;
        /**
         * @description Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`.
         * @example 123456789012345@lid
         */
        user?: string;
      };
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the message, at most 256 bytes.
         * @example 3EB0C431C26A1916E07A
         */
        messageId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedMessage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `author must be the id of a person`: `author` is malformed.
       *     * `only its author can delete a message of a private chat`: `author` is another person, and the chat is private.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `message not found` (not-found): The channel has no such message.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappEditMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the message, at most 256 bytes.
         * @example 3EB0C431C26A1916E07A
         */
        messageId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppEditBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedMessage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `path is not properly encoded`: The path contains an invalid `%` sequence.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `message not found` (not-found): The channel has no such message.
       *     * `message can only be edited for 15 minutes` (platform-refused): The session sent the message more than 15 minutes ago, so the phones of the chat would ignore the edit.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendAlbum: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppAlbumBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AlbumOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `channels take no voice messages, stickers, polls or albums`: The recipient is a channel.
       *     * `items must have 2 to 10 elements`: `items` is missing, is not a list, or does not have 2 to 10 elements.
       *     * `each value in items must have either image or video`: An element of `items` is not an object, or does not have exactly one of `image` and `video`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappForwardMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppForwardBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `ref is not valid`: The `ref` was changed, or belongs to another account or tenant. For `replyTo`, also if it is not the id of a message.
       *     * `ref does not hold the whole message`: The message is too long for its `ref`, or is of a type that cannot be forwarded, such as a poll.
       *     * `a file cannot be forwarded to a channel`: The recipient is a channel, and the message has a file.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendPoll: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppPollBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `channels take no voice messages, stickers, polls or albums`: The recipient is a channel.
       *     * `options must have 2 to 12 elements`: `options` is missing, is not a list, or does not have 2 to 12 elements.
       *     * `each value in options must be a different text of 1 to 100 characters`: An element of `options` is not a text, is empty, has more than 100 characters, or equals another one.
       *     * `multiple must be true or false`: `multiple` is neither `true` nor `false`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendReaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppReactionBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangedMessage"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `author must be the id of a person`: `author` is malformed.
       *     * `author should not be empty in a group, unless this session sent the message`: The message is in a group, `author` is empty, and the session did not send the message within the last 24 hours.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `message not found` (not-found): The channel has no such message.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappReadMessage: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppReadMarkBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `author must be the id of a person`: `author` is malformed.
       *     * `author should not be empty in a group, unless this session sent the message`: The message is in a group, `author` is empty, and the session did not send the message within the last 24 hours.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `message not found` (not-found): The channel has no such message.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendSticker: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppStickerBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `channels take no voice messages, stickers, polls or albums`: The recipient is a channel.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendVoice: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppVoiceBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MessageOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       *     * `channels take no voice messages, stickers, polls or albums`: The recipient is a channel.
       *     * `audio must be an ogg file with opus`: The file at `audio.url` is not an Ogg file with Opus, the format that both platforms play as a voice message.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappLookUpPhones: {
    parameters: {
      query: {
        /**
         * @description 1 to 50 phone numbers in international format, separated by commas. The parameter may also be repeated.
         * @example 15550100002,15550100999
         */
        phone: string;
      };
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            docs: components["schemas"]["FoundPhone"][];
          };
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `phone must be 1 to 50 numbers`: `phone` is missing, or has more than 50 numbers.
       *     * `invalid phone, group or newsletter`: The body has none of the four recipient fields, or the recipient is malformed.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappGetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppSessionRecord"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappCreateSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NewWhatsAppSessionForm"];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionCredentials"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone`: `phone` does not have 8 to 15 digits, or starts with 0.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call.
       *     * `without a configured api key, sessions can be created from this machine only`: No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.
       *     * `session quota reached`: The tenant has reached its limit of sessions.
       */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappDeleteSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappGetPasskey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PasskeyStatus"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response. */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSubmitPasskey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasskeyForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `credential: it was made for a different challenge`: The credential does not fit the challenge. The message contains the reason. The gateway sent nothing, and you can try again.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `no passkey requested`: No challenge is open, or a credential was already accepted. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappConfirmPasskey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `no code to confirm`: No code needs to be confirmed. */
      409: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappResetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /** @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSetWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppWebhookForm"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `url and token must be both filled, or both empty to turn the webhook off`: The body has only one of `url` and `token`.
       *     * `url must be an http or https url`: `url` is not a valid `http` or `https` URL.
       *     * `token must be printable ascii without spaces around it`: `token` cannot be sent in a header.
       *     * `each value in events must be one of the following values: message.new, message.edited, …`: `events` has a type that the platform does not have. The message lists the platform's types.
       *     * `url must not point to an address that webhooks cannot use`: The address of the receiver is a metadata, link-local or reserved address, or belongs to the gateway.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappPostStatus: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppStatusBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WhatsAppStatusOutput"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is empty, too long or not printable ASCII.
       *     * `idempotency-key must be given only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `type must be one of the following values: text, image, video`: The call does not support this `type`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing. */
      422: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `too many idempotency keys`: 10,000 idempotency keys were used within 24 hours. Requests without a key still work.
       *     * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.
       */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept the message within 4 minutes.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): The file could not be downloaded from its URL, or has another type.
       *     * `contacts not synced, reconnect the session or set status privacy to "only share with"` (no-status-audience): The account's privacy setting needs the address book, which is not synced yet.
       *     * `status privacy "only share with" has no contacts` (no-status-audience): The account's privacy setting allows no contacts.
       *     * `403: the account may not do this here` (platform-refused): The platform rejected the request. The message contains its code, its text if it has one, and an explanation.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  whatsappSendTyping: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppTypingBody"];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionReference"];
        };
      };
      /**
       * @description * `invalid header`: A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: The header `Content-Type` of the body is not JSON.
       *     * `content-encoding must be identity`: The body is compressed, such as with gzip.
       *     * `body must not be nested deeper than 32 levels`: The JSON is nested more than 32 levels deep.
       *     * `body must be valid JSON`: The body is not valid JSON in UTF-8.
       *     * `invalid phone or group`: The body has none of the three recipient fields, or the recipient is malformed.
       *     * `type must be one of the following values: text, image, video`: The call does not support this `type`.
       */
      400: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `invalid api key`: The header `x-api-key` is required and missing, or the key is wrong, expired or revoked. */
      401: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `the role of this api key does not permit this call`: The key is valid, but its role does not allow the call. */
      403: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted. */
      404: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `request body did not come in time`: The body arrived too slowly while the router was busy. */
      408: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `request body is too large`: The body is larger than 64 KiB.
       *     * `request entity too large`: The fields of the body are together larger than a shard accepts.
       */
      413: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description * `too many requests`: A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds. */
      429: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          RateLimit: components["headers"]["RateLimit"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `session not found` (session-not-ready): The session is not active yet, for example after a restart. Retry in a few seconds.
       *     * `session not connected` (session-not-connected): The session is not connected, or the platform did not respond in time.
       *     * `internal server error` (internal): The gateway failed. Its logs have the cause under the `x-request-id` of the response.
       */
      500: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-platform-error": components["headers"]["PlatformError"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description * `server busy` (busy): A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.
       *     * `storage unavailable` (busy): Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.
       */
      503: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Retry-After": components["headers"]["RetryAfter"];
          "x-error-code": components["headers"]["ErrorCode"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  onDeletedMessagesEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeletedMessagesEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onEditedMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EditedMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onNewMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onReadMessagesEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReadMessagesEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionExpiringEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SessionExpiringEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSessionStateEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SessionStateEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onTestEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppCallEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppCallEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppNewChannelMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppNewChannelMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppChangedGroupEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppChangedGroupEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppDeletedGroupMessagesEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppDeletedGroupMessagesEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppEditedGroupMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppEditedGroupMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppNewGroupMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppNewGroupMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppDeletedMessagesEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppDeletedMessagesEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppDeliveredMessagesEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppDeliveredMessagesEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppEditedMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppEditedMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppFailedMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppFailedMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppNewMessageEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppNewMessageEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppReactionEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppReactionEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWhatsAppReadMessagesEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Trace of the delivery, with a span for this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event. Retries have the same id.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Unix time of this attempt in seconds. Reject requests older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description Token from the webhook settings. Compare it in constant time, or verify the signature.
         * @example s3cret
         */
        "x-token": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WhatsAppReadMessagesEvent"];
      };
    };
    responses: {
      /** @description The receiver accepted the event. The gateway waits 10 seconds for the status line. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
