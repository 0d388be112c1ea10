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
     * List who did what
     * @description The oldest first, or the newest with `order=newest`, as far as it is kept (about 100,000 rows) and the key may see it. The `next` of a page belongs to its order.
     *
     *     Needs a key with the role `admin`, `tenant` or `read`.
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
     * Hear what happens now
     * @description Server-sent events: `session`, `code` and `deliveries` of sessions, `slots` and `load` of shards, `member`, `rotation` and `missed`, and `end` with a `reason` as the last one. A key of a tenant hears of its own sessions alone. `code`, `deliveries`, `load` and `rotation` come once a second at most for each session, shard or rotation. A comment every 5 s says that the stream is current; it does not come while the router cannot read Redis; a client that comes back names the last id in `Last-Event-ID`.
     *
     *     Needs a key with the role `admin`, `tenant` or `read`.
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
     * Look at the keys that seal
     * @description Names of the keys, never themselves: who has them, what still needs the old ones, and how far a rotation has come.
     *
     *     Needs a key with the role `admin`.
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
     * Seal with another key
     * @description That key seals from now on, and what the others sealed is sealed anew.
     *
     *     Needs a key with the role `admin`.
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
     * @description In the order in which they were made; never the keys themselves.
     *
     *     Needs a key with the role `admin`.
     */
    get: operations["adminListKeys"];
    put?: never;
    /**
     * Create an API key
     * @description The only answer that ever shows the key. Every router takes it at once. A `proxy` is what the sessions that it creates go through, in the place of their tenant's; one that `POST /session` names comes before it.
     *
     *     Needs a key with the role `admin`.
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
     * @description No router takes it a second later.
     *
     *     Needs a key with the role `admin`.
     */
    delete: operations["adminDeleteKey"];
    options?: never;
    head?: never;
    /**
     * Change the proxy of an API key
     * @description Holds for the sessions that it creates from then on, at every router within a second. Those that it created before keep what they were given, as they do when it is revoked: `PUT /admin/sessions/{id}/proxy` changes that. What was given is never shown whole again.
     *
     *     Needs a key with the role `admin`.
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
     * @description Every shard that ever joined, and every router and supervisor that was heard of within 15 s, with its load.
     *
     *     Needs a key with the role `admin` or `read`.
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
     * Take all slots from a shard
     * @description Its slots go to the others, a few at once, and it gets none until it is undrained.
     *
     *     Needs a key with the role `admin`.
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
     * Give a shard its share again
     * @description Give a shard its share again.
     *
     *     Needs a key with the role `admin`.
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
     * Whom this key stands for
     * @description And what it may ask for, so that nobody has to keep a table of roles of his own.
     *
     *     Needs a key with the role `admin`, `tenant`, `create` or `read`.
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
     * @description All sessions that the key may see, narrowed by what the query names. A page may hold fewer than its limit, none even, and still have a next one. Who accepts `application/x-ndjson` gets all of them, a line each, and needs no pages; where the lines break off, the last one is an error.
     *
     *     Needs a key with the role `admin`, `tenant` or `read`.
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
     * Look at a session
     * @description Look at a session.
     *
     *     Needs a key with the role `admin`, `tenant` or `read`.
     */
    get: operations["adminGetSession"];
    put?: never;
    post?: never;
    /**
     * Log a session out, and forget it
     * @description As its owner would: the account is logged out, and nothing can be brought back.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * List events that were given up
     * @description What the session's receiver did not take, in the order in which it was given up. Kept for 7 days, 1,000 of each session.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Deliver again what was given up
     * @description All dead letters of the session are appended to what waits, in their order, with their ids and bytes.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * @description A slot moves as a whole, so all sessions of its slot go along. The slot is pinned, and stays there until the pin is taken out. A key of the role `tenant` moves 10 slots an hour.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Have a session go through a proxy of its own
     * @description In the place of its tenant's, or of that of the key that created it. Its connection ends, and what was running on it comes to its end for up to 5 seconds; another one is made through the proxy 2 seconds later, and after a lost connection once the platform has dropped that (Telegram: 45 seconds). Calls wait meanwhile for up to 10 seconds. The login stays. A proxy that the session goes through already changes nothing, and none is ever shown with its login.
     *
     *     Needs a key with the role `admin` or `tenant`.
     */
    put: operations["adminSetProxy"];
    post?: never;
    /**
     * Have a session go its tenant's way
     * @description Its own proxy, or that of the key that created it, is forgotten. It goes through its tenant's where that has one, or directly, as soon as with another proxy.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Connect a session anew
     * @description Its connection ends and another one is made; the login stays.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Bring a session back
     * @description A session that a timer deleted comes back as it was, with its login, its webhook and what waited for it, for 24 hours. One that its owner deleted does not.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Deliver what waits now
     * @description The oldest event that waits for the session's receiver is tried at once, whatever wait was before it; the others follow when it is taken. Attempts count on. A receiver that is left alone after 20 failures is tried when its 30 s are over.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * @description One event of the type `test` is appended to what waits, with an id, a signature and repeats like every other. It goes out behind the others.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Do the same to many sessions
     * @description Does to each session what its own call would, eight at once, and answers with a line for each as it is done: `{id, status, outcome}` or `{id, status, message}`. Begins no more once the client has left.
     *
     *     Needs a key with the role `admin` or `tenant`.
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
     * Sign in with the one-time code of a start
     * @description The code of the link that `npm start` prints becomes an admin key that lasts 12 hours. A wrong code is counted like a wrong key.
     */
    post: operations["adminSignIn"];
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
     * Look at a slot
     * @description Who owns it, who should, and how many sessions it has.
     *
     *     Needs a key with the role `admin` or `read`.
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
     * @description That shard gets it whenever it is active and not drained, whatever the placement says.
     *
     *     Needs a key with the role `admin`.
     */
    put: operations["adminPinSlot"];
    post?: never;
    /**
     * Take the pin out of a slot
     * @description The placement decides again.
     *
     *     Needs a key with the role `admin`.
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
     *     Needs a key with the role `admin`.
     */
    get: operations["adminListTenants"];
    put?: never;
    /**
     * Create a tenant
     * @description Create a tenant.
     *
     *     Needs a key with the role `admin`.
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
     * Look at a tenant
     * @description Look at a tenant.
     *
     *     Needs a key with the role `admin`.
     */
    get: operations["adminGetTenant"];
    put?: never;
    post?: never;
    /**
     * Delete a tenant
     * @description With its keys, and only when it has no sessions.
     *
     *     Needs a key with the role `admin`.
     */
    delete: operations["adminDeleteTenant"];
    options?: never;
    head?: never;
    /**
     * Change a tenant's quotas, its pace and its proxy
     * @description A quota below what is used takes nothing away: it applies to what comes. Another pace holds for messages that wait as well: they go sooner, or later, and one that would wait for too long reads 429. With another proxy the tenant's sessions connect anew, as many at once as a shard connects; what was given is never shown whole again.
     *
     *     Needs a key with the role `admin`.
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
     * @description All channels that the account follows or runs; never a group.
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
     * Look at a channel
     * @description Only channels that the account follows.
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
     * @description The newest first, media as signed links. The next page is asked for with the last `id` as `before`.
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
  "/telegram/group": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List groups
     * @description All groups that the account is in. Descriptions and photos are fetched one by one, so many groups make the first answer slow.
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
     * Look at a group
     * @description Look at a group.
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
     * @description Up to 10,000 members. A group that hides its members shows them to administrators alone.
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
     * Get a file by its link
     * @description Links stand in `url` and `thumbnail` of messages and events, and are used as they are: no headers are needed, because the link is signed. Whoever has a link can open the file until its message is deleted. The file is fetched from the platform in pieces of 512 KiB, only as far as it is asked for.
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
     * @description Answers once the platform has accepted the message. Files are downloaded by the service from public URLs. With an `Idempotency-Key` a repeat is not sent twice.
     */
    post: operations["telegramSendMessage"];
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
     * Look at a session
     * @description Safe to ask while the session is not connected. While a code waits to be scanned, ask every 2 to 3 seconds, and stop when `isConnected` or `isPasswordRequired` is true. To show the code, put `data:image/png;base64,` before `qrcode`.
     */
    get: operations["telegramGetSession"];
    put?: never;
    /**
     * Create a session
     * @description A session is one account. Its login begins at once: read `qrcode` with `GET /session` until `isConnected` or `isPasswordRequired` is true. A session that nobody logs in within 3 minutes is deleted.
     */
    post: operations["telegramCreateSession"];
    /**
     * Log out, and forget the session
     * @description Nothing of it is kept: from now on the pair of `id` and `session-id` is 404, and its media links are too.
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
     * Answer for the two-step password
     * @description Only while `isPasswordRequired` is true. On success the session is connected. Five tries an hour; after 30 minutes without one the session is deleted.
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
     * Log out, and begin a new login
     * @description The account is logged out. The session stays, with a new QR code that lasts 3 minutes.
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
     * Set where events go
     * @description From the answer on, the receiver is told what happens in private chats; two empty texts turn it off. Another URL or token loses nothing: what waits goes to the new receiver. May be set before the login.
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
     * @description A story on the account's profile. The platform has no text stories: a text is drawn on a picture. The platform does not notice a story that comes twice, so after a lost answer it is never sent again.
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
     * Show that somebody writes
     * @description The platform ends the indicator by itself after 6 seconds. The answer has the id of the session.
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
     * @description All channels that the account follows or runs.
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
     * Look at a channel
     * @description Look at a channel.
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
     * @description The newest first. The next page is asked for with the last `id` as `before`.
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
  "/whatsapp/group": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List groups
     * @description All groups that the account is in. Pictures are fetched one by one, so many groups take a while.
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
     * Look at a group
     * @description Look at a group.
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
     * @description Answers once the platform's server has accepted the message, which says nothing of its delivery. Files are downloaded by the service from public URLs. With an `Idempotency-Key` a repeat is not sent twice.
     */
    post: operations["whatsappSendMessage"];
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
     * Look at a session
     * @description Safe to ask while the session is not connected. While a code waits to be scanned, ask every 2 to 3 seconds, and stop when `isConnected` is true.
     */
    get: operations["whatsappGetSession"];
    put?: never;
    /**
     * Create a session
     * @description A session is one account. Its login begins at once: read `qrcode` or `pairingCode` with `GET /session` until `isConnected` is true. A session that nobody logs in within 3 minutes is deleted.
     */
    post: operations["whatsappCreateSession"];
    /**
     * Log out, and forget the session
     * @description Nothing of it is kept: from now on the pair of `id` and `session-id` is 404.
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
     * See how far the linking by passkey is
     * @description WhatsApp asks more and more accounts for their passkey when a device is linked, after the scan as well as after a typed code. Then `options` are to be answered within 10 minutes by the browser of the account's owner, on a page of `https://web.whatsapp.com`: the page `/passkey` of this service guides, and needs only `token`. Ask every 2 to 3 seconds until `state` is `done` or `failed`.
     */
    get: operations["whatsappGetPasskey"];
    put?: never;
    /**
     * Answer with the passkey
     * @description What `PublicKeyCredential.toJSON()` gives for `options`. It is checked before anything of it is sent. When it answers, the platform has taken it; whether the phone links the device is told by `GET /session/passkey`.
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
     * Confirm that the phone shows the same code
     * @description Only where `state` is `confirm`: after an answer that took longer than 5 minutes. Compare `code` with the phone's first, since it tells that nobody stands in between.
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
     * Log out, and begin a new login
     * @description The account is logged out. The session stays, with a new QR code that lasts 3 minutes.
     */
    post: operations["whatsappResetSession"];
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
     * @description Who may see it follows the privacy setting on the account's phone, and only people who saved the account's number do. A text has a dark green background; pictures are compressed; a film without a thumbnail gets one.
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
     * Show that somebody writes
     * @description The indicator shows for 5 seconds. The answer has the id of the session.
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
     * Messages were deleted
     * @description Messages were deleted. Sent to the URL of `PUT /session/webhook`, for private chats alone: at least once, in order per session, for 24 hours.
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
     * A message was edited
     * @description A message was edited. Sent to the URL of `PUT /session/webhook`, for private chats alone: at least once, in order per session, for 24 hours.
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
     * A message came, or was written on another device of the account
     * @description A message came, or was written on another device of the account. Sent to the URL of `PUT /session/webhook`, for private chats alone: at least once, in order per session, for 24 hours.
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
     * Messages were read
     * @description Messages were read. Sent to the URL of `PUT /session/webhook`, for private chats alone: at least once, in order per session, for 24 hours.
     */
    post: operations["onReadMessagesEvent"];
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
     * Somebody asked for an event to try the receiver with
     * @description Somebody asked for an event to try the receiver with. Sent to the URL of `PUT /session/webhook`, for private chats alone: at least once, in order per session, for 24 hours.
     */
    post: operations["onTestEvent"];
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
     * @description What a key may be asked for. `use-session`: every endpoint of a session, without its secret. `read-session` and `operate-session`: the admin API's questions
     *     about one session, and what changes it. `administer`: tenants, keys and the cluster. `read-self`: whom the key itself stands for.
     * @enum {string}
     */
    Action: "read-self" | "create-session" | "use-session" | "read-session" | "operate-session" | "read-members" | "administer";
    /** @description A sound. It arrives as a regular audio file, never as a voice note. */
    AudioForm: {
      /**
       * @description Length in seconds, greater than 0; rounded up to whole ones.
       * @example 7
       */
      duration: number;
      /**
       * @description Media type of the file, such as `audio/mpeg`.
       * @example audio/mpeg
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public URL that points straight at the file. MP3 is the safest format.
       * @example https://example.com/jingle.mp3
       */
      url: components["schemas"]["Url"];
    };
    /** @description One row of the record of who did what. No secret, no phone number and no text of a caller is in it. */
    AuditRow: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      readonly at: components["schemas"]["Instant"];
      /**
       * @description How many requests the row stands for: reads and failures that a key repeats within a minute are one row beside the first. Of a takeover how many slots.
       * @example 1
       */
      readonly count: number;
      /**
       * @description Address, of IPv6 the first 64 bits; of what shards do by themselves the member that did it.
       * @example 192.0.2.7
       */
      readonly from: string;
      /**
       * @description The `x-request-id` of the answer; empty where no one request stands behind it.
       * @example 4bf92f3577b34da6a3ce929d0e0e4736
       */
      readonly requestId: string;
      /**
       * @description Id of the session; empty where it concerns none.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      readonly session: string;
      /**
       * @description Of a takeover: how many sessions came with the slots.
       * @example 410
       */
      readonly sessions?: number;
      /**
       * @description HTTP status of the answer, 0 when the caller left before it; 200 of what shards have done by themselves.
       * @example 201
       */
      readonly status: number;
      /**
       * @description What an operator's call named, as it stands in the path behind `/admin/`, or what it made, such as `tenants/acme`; of a call that failed only where it is a well-formed name of ours (a session's or key's id, a slot, the name of a tenant or member that is no number), else empty; of what shards do by themselves the member that died, or why a session was deleted.
       * @example shard-2
       */
      readonly target: string;
      /**
       * @description Tenant of the session, of the key or the quotas that were changed, or else of the caller's key; empty where it concerns none, or all.
       * @example acme
       */
      readonly tenant: string;
      /**
       * @description What was done: the name of the call, such as `create-session`; `failed-authentication`, `refused-call`, `take-over`, `expire-session`.
       * @example create-session
       */
      readonly what: string;
      /**
       * @description Id of the api key; `session` for a caller with a session's own secret, `local` for one of this machine where no key is configured; `unknown` of failed attempts;
       *     `cluster` of what shards do by themselves.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly who: string;
    };
    /** @description `POST /admin/sessions/bulk`. */
    BulkForm: {
      /**
       * @description What is done to each session.
       * @example restart
       * @enum {string}
       */
      action: "delete" | "restart" | "move" | "undelete";
      /** @description 1 to 1,000 ids of sessions; one that stands twice counts once. */
      ids: string[];
      /**
       * @description Where `move` moves them; of no other action.
       * @example shard-2
       */
      member?: string;
    };
    /** @description What became of one session. */
    BulkLine: components["schemas"]["DoneLine"] | components["schemas"]["RefusedLine"];
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    CodeNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Who holds it.
       * @example shard-1
       */
      member: string;
      /**
       * @description On which platform it is.
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
       * @description To whom it belongs.
       * @example acme
       */
      tenant: string;
    };
    /** @description Somebody's name and number. */
    ContactForm: {
      /**
       * @description Name, at most 255 bytes.
       * @example Carol
       */
      name: string;
      /**
       * @description Number in international format: 5 to 15 digits, the first of them not 0. It goes on as it is written.
       * @example 15550100003
       */
      phone: string;
    };
    /** @description A whole number, 0 or more. */
    Count: number;
    /** @description A new key. */
    CreatedKey: {
      /**
       * @description When it was made.
       * @example 2026-11-21T14:27:39.000Z
       */
      readonly created: components["schemas"]["Instant"];
      /** @description When it ends by itself; `null` for a key that lasts until it is revoked. */
      readonly expires: null | components["schemas"]["Instant"];
      /**
       * @description Id of the key, 20 hex digits; not secret: the audit names it.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly id: string;
      /**
       * @description The key itself, for the header `x-api-key`. No other answer ever shows it.
       * @example tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      readonly key: string;
      /**
       * @description What its maker called it.
       * @example shop backend
       */
      readonly label: string;
      /** @description When it was last used, to the minute or so; `null` when never. */
      readonly lastUsed: null | components["schemas"]["Instant"];
      /**
       * @description What the sessions that it creates go through, without its login; `null`: their tenant's proxy, or nothing.
       * @example http://***@proxy.example.com:3128
       */
      readonly proxy: string | null;
      /**
       * @description What it may do.
       * @example tenant
       * @enum {string}
       */
      readonly role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Whose it is; `null` for the role `admin`.
       * @example acme
       */
      readonly tenant: string | null;
    };
    /** @description An event that was given up. */
    DeadLetter: {
      /**
       * @description Requests that were sent in vain.
       * @example 100
       */
      attempts: components["schemas"]["Count"];
      /** @description The request's body; `null` when it is unreadable. */
      body: unknown;
      /**
       * @description When it happened.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Where it stands among the dead letters; ids only grow.
       * @example 1795000000000-0
       */
      id: string;
      /**
       * @description `expired`: older than 24 h; `attempts`: tried 100 times; `full`: the outbox was; `unreadable`: its bytes were altered in Redis.
       * @example attempts
       */
      reason: string;
      /**
       * @description The event's own type, such as `message.new`.
       * @example message.new
       */
      type: string;
    };
    /** @description Dead letters in the order in which they were given up. */
    DeadLetterPage: {
      /** @description One page of them. */
      docs: components["schemas"]["DeadLetter"][];
      /**
       * @description `after` of the next page; empty after the last one.
       * @example
       */
      next: string;
    };
    /** @description Messages that were deleted. */
    DeletedMessages: {
      /** @description The person whom the chat is with. */
      chat: components["schemas"]["Person"];
      /** @description Ids of the deleted messages of this chat. */
      ids: string[];
    };
    /** @description The body of a webhook request. */
    DeletedMessagesEvent: {
      /**
       * @description When it happened, by the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description What the type has to tell. */
      data: components["schemas"]["DeletedMessages"];
      /**
       * @description Id of the event, the same in every repeat: what was seen once may be passed over.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session whose account it concerns.
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
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    DeliveriesNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Events that were given up, and are dead letters now.
       * @example 0
       */
      dead: components["schemas"]["Count"];
      /**
       * @description Events that the receiver took.
       * @example 3
       */
      delivered: components["schemas"]["Count"];
      /**
       * @description Requests that it did not take; the event is tried again.
       * @example 0
       */
      failed: components["schemas"]["Count"];
      /**
       * @description Who holds it.
       * @example shard-1
       */
      member: string;
      /**
       * @description On which platform it is.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /**
       * @description Dead letters that go out again.
       * @example 0
       */
      replayed: components["schemas"]["Count"];
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      session: string;
      /**
       * @description To whom it belongs.
       * @example acme
       */
      tenant: string;
      /**
       * @description For how long the oldest event has waited for the session's receiver, seconds; 0 when none waits.
       * @example 0
       */
      webhookLag: components["schemas"]["Count"];
    };
    /** @description A file of any kind. */
    DocumentForm: {
      /**
       * @description Media type of the file, such as `application/pdf`.
       * @example application/pdf
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description File name that the chat shows, at most 255 bytes.
       * @example invoice.pdf
       */
      name: string;
      /**
       * @description Bytes, greater than 0. What is sent is the file's own size, whatever stands here.
       * @example 48213
       */
      size: number;
      /**
       * @description Public URL that points straight at the file.
       * @example https://example.com/invoice.pdf
       */
      url: components["schemas"]["Url"];
    };
    /** @description The session's own call succeeded. */
    DoneLine: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      readonly id: string;
      /** @description What that call answers. */
      readonly outcome: unknown;
      /**
       * @description Status of the session's own call.
       * @example 200
       */
      readonly status: number;
    };
    /** @description The body of a webhook request. */
    EditedMessageEvent: {
      /**
       * @description When it happened, by the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description What the type has to tell. */
      data: components["schemas"]["PrivateMessage"];
      /**
       * @description Id of the event, the same in every repeat: what was seen once may be passed over.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session whose account it concerns.
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
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    EndNews: {
      /**
       * @description Why the stream ends. Its client may come back.
       * @example router stops
       */
      reason: components["schemas"]["EndReason"];
    };
    /**
     * @description Why a stream ends, as its last event says.
     * @enum {string}
     */
    EndReason: "read too slowly" | "api key is no longer valid" | "router stops";
    /** @description What the append-only file of Redis still holds of deleted sessions. Instants are empty while there is none. */
    ErasureRow: {
      /**
       * @description The first secret that is gone from Redis and not from its file.
       * @example
       */
      heldSince: string;
      /**
       * @description A rewrite was `refused` to the shards' user of Redis, or `failed`; empty when all is well.
       * @example
       */
      problem: string;
      /**
       * @description The file has nothing that was gone by then.
       * @example 2026-11-21T03:00:00.000Z
       */
      rewritten: string;
    };
    Error: components["schemas"]["ErrorBody"];
    /** @description The body of every error, which has no place for a code: that is a header. */
    ErrorBody: {
      /**
       * @description A sentence of the contract; several are joined by a newline.
       * @example session not found
       */
      message: string;
      /**
       * @description The answer's status, once more.
       * @example 404
       */
      statusCode: number;
    };
    ImageContentForm: {
      /** @description The picture. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
    };
    /** @description A picture. The service downloads it by itself. */
    ImageForm: {
      /**
       * @description Media type of the file, such as `image/jpeg`.
       * @example image/jpeg
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public URL of a thumbnail; without one it is made of the file. Telegram makes its own.
       * @example https://example.com/small.jpg
       */
      thumbnail?: string;
      /**
       * @description Public URL that points straight at the file. JPEG is the safest format.
       * @example https://example.com/cake.jpg
       */
      url: components["schemas"]["Url"];
    };
    ImageStory: {
      /** @description The picture, scaled down to at most 1080 pixels. */
      image: components["schemas"]["StoryImageForm"];
      /**
       * @description Who may see it; `contacts` when absent. `close_friends` are those of the list that is set on the platform.
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
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
    };
    /**
     * Format: date-time
     * @description An instant in ISO 8601, such as `2026-11-21T14:27:39.000Z`.
     */
    Instant: string;
    /** @description `PATCH /admin/keys/{id}`. */
    KeyChangeForm: {
      /**
       * @description What the sessions that are created with it from now on go through; `null`: their tenant's proxy, or nothing. Those that it created before keep what they have: `PUT /admin/sessions/{id}/proxy`
       *     changes that.
       * @example http://acme:c0rrect-h0rse@proxy.example.com:3128
       */
      proxy?: string | null;
    };
    /** @description A process that opens what is sealed. */
    KeyHolder: {
      /**
       * @description Where it runs.
       * @example gateway-a
       */
      host: string;
      /** @description Names of its keys, the sealing one first; `null` when it has not told them. */
      keys: string[] | null;
      /**
       * @description Its stable name.
       * @example shard-1
       */
      name: string;
      /**
       * @description What it does.
       * @example shard
       * @enum {string}
       */
      role: "shard" | "router";
    };
    /** @description A key that is gone. */
    KeyReference: {
      /**
       * @description Id of the key.
       * @example 6b01aa5342b4f53c9f4c
       */
      id: string;
    };
    /** @description The keys that seal what is stored, who has them, and how far a rotation has come. */
    KeyringRow: {
      /** @description What is still to be erased from the file of Redis. */
      erasure: components["schemas"]["ErasureRow"];
      /** @description All keys that are known of. */
      keys: components["schemas"]["KeyRow"][];
      /** @description The processes that open what is sealed. */
      members: components["schemas"]["KeyHolder"][];
      /** @description The last rotation; `null` before the first. */
      rotation: null | components["schemas"]["RotationRow"];
      /**
       * @description Name of the key that seals now.
       * @example b
       */
      sealing: string;
    };
    /** @description One key of `CRED_KEYS`: its name, never itself. */
    KeyRow: {
      /**
       * @description One letter or digit.
       * @example b
       */
      id: string;
      /** @description Processes without it. */
      missing: string[];
      /**
       * @description Outcomes and plans may need it until then; empty for the sealing one, and for one that never sealed.
       * @example
       */
      neededUntil: string;
      /**
       * @description Stored texts that are sealed with it, as last counted; `null` before the first count.
       * @example 412
       */
      records: null | components["schemas"]["Count"];
      /**
       * @description It may be taken out: nothing that was counted after `neededUntil` needs it.
       * @example false
       */
      removable: boolean;
      /**
       * @description True for the one that seals now.
       * @example true
       */
      sealing: boolean;
    };
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    LoadNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Marked by an operator: it gives its slots away.
       * @example false
       */
      drained: boolean;
      /**
       * @description Who carries it.
       * @example shard-1
       */
      member: string;
      /**
       * @description Sessions that it hosts now.
       * @example 1280
       */
      sessions: components["schemas"]["Count"];
      /**
       * @description Slots that it owns now.
       * @example 2048
       */
      slots: components["schemas"]["Count"];
    };
    /** @description A place on the globe. */
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
    /** @description A member by its name. */
    MemberForm: {
      /**
       * @description Name of a shard.
       * @example shard-2
       */
      member: string;
    };
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    MemberNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Where it runs.
       * @example gateway-a
       */
      host: string;
      /**
       * @description Its stable name.
       * @example shard-1
       */
      member: string;
      /**
       * @description What it is now.
       * @example active
       * @enum {string}
       */
      state: "active" | "draining" | "dead" | "gone";
    };
    /** @description One process of the cluster. What nobody has told within 15 s is `null`. */
    MemberRow: {
      /**
       * @description Marked by an operator: gets no slots.
       * @example false
       */
      drained: boolean;
      /**
       * @description Where it runs.
       * @example gateway-a
       */
      host: string;
      /**
       * @description The worst delay of its event loop in the last moments, milliseconds.
       * @example 3
       */
      loopLagMs: null | components["schemas"]["Count"];
      /**
       * @description Resident memory, bytes.
       * @example 271581184
       */
      memoryBytes: null | components["schemas"]["Count"];
      /**
       * @description Its stable name.
       * @example shard-1
       */
      name: string;
      /**
       * @description What it does.
       * @example shard
       * @enum {string}
       */
      role: "shard" | "supervisor" | "router";
      /**
       * @description Sessions that a shard hosts; `null`, but for the role `admin`.
       * @example 412
       */
      sessions: null | components["schemas"]["Count"];
      /**
       * @description Slots that a shard owns.
       * @example 1366
       */
      slots: null | components["schemas"]["Count"];
      /**
       * @description `draining`: gives its slots away; `drained`: has none left, because an operator asked for it; `dead`: buried; `gone`: left in order.
       * @example active
       */
      state: components["schemas"]["ShownState"];
      /**
       * @description Its version of the program.
       * @example 0.2.0
       */
      version: string | null;
    };
    /** @description Answered once the platform's server has accepted the message, which says nothing of its delivery. */
    MessageOutput: {
      /**
       * @description The platform's id of the message; empty on Telegram where the platform has it and does not tell its id.
       * @example 3EB0C431C26A1916E07A
       */
      messageId: string;
    };
    Mimetype: string;
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    MissedNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
    };
    /** @description Where a session is to be. */
    MovedSession: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description Where the slot is pinned now.
       * @example shard-2
       */
      member: string;
      /**
       * @description How many sessions the slot has; told to the role `admin` alone.
       * @example 3
       */
      sessions?: components["schemas"]["Count"];
      /**
       * @description Its slot, which moves as a whole.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
    };
    /** @description `POST /admin/keys`. */
    NewKeyForm: {
      /**
       * @description When it ends by itself: an instant in the future, with a zone. Without one it lasts until it is revoked.
       * @example 2030-01-01T00:00:00Z
       */
      expires?: components["schemas"]["Instant"];
      /**
       * @description For people to read: one line of at most 64 characters.
       * @example shop backend
       */
      label?: string;
      /**
       * @description What the sessions that are created with it go through, in the place of their tenant's proxy: `socks5://[user:password@]host:port`, or `http://…`. Not for the role `read`, which creates none.
       *     Kept sealed, never shown.
       * @example socks5://acme:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string;
      /**
       * @description `admin`: everything; `tenant`: its tenant's sessions; `create`: `POST /session` alone; `read`: to look at its tenant's sessions and the members.
       * @example tenant
       * @enum {string}
       */
      role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Whose it is to be; absent for the role `admin`.
       * @example acme
       */
      tenant?: string;
    };
    /** @description The body of a webhook request. */
    NewMessageEvent: {
      /**
       * @description When it happened, by the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description What the type has to tell. */
      data: components["schemas"]["PrivateMessage"];
      /**
       * @description Id of the event, the same in every repeat: what was seen once may be passed over.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session whose account it concerns.
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
    /** @description What a session begins with. */
    NewSessionForm: {
      /**
       * @description For people to read: one line of at most 64 characters. Lists of sessions show it and can be narrowed to it.
       * @example till 7
       */
      label?: string;
      /** @description Any JSON object of at most 1,024 bytes; kept sealed. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description Asks for a pairing code to type on the phone instead of a QR: the account's number, 8 to 15 digits after tidying, the first of them not 0.
       * @example +1 555 010 0001
       */
      phone?: string;
      /**
       * @description What its connections to the platform go through, in the place of the api key's or its tenant's proxy: `socks5://[user:password@]host:port`, or `http://…`. Kept sealed, never shown.
       * @example socks5://till:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string;
    };
    /** @description `POST /admin/tenants`. */
    NewTenantForm: {
      /**
       * @description 1 to 32 characters of `a-z`, `0-9` and `-`.
       * @example acme
       */
      name: string;
      /** @description How fast each of its sessions may send, on both platforms. What is not named stays as it is; `null` goes back to the deployment's. A change holds within a second, for messages that wait as well. */
      pace?: null | {
        /** @description First messages an hour to people with whom it has exchanged none, 0: any number. */
        newContactsPerHour?: null | components["schemas"]["Count"];
        /** @description Messages a minute, 0: as fast as it can. */
        sendsPerMinute?: null | components["schemas"]["Count"];
      };
      /**
       * @description What the connections of its sessions to their platforms go through: `socks5://[user:password@]host:port`, or `http://…`. `null`: nothing. A change holds at once for all of its sessions that
       *     have no proxy of their own: they connect anew.
       * @example socks5://acme:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string | null;
      /** @description What it may have at most. A quota that is not named stays as it is; `null` takes a limit away. */
      quotas?: {
        /**
         * @description How many of those requests may come at once; without it a second's worth. Needs `requestsPerSecond`.
         * @example 40
         */
        burst?: null | components["schemas"]["Count"];
        /** @description Downloads, renders and fetches of media at once: kept by shards. */
        downloads?: null | components["schemas"]["Count"];
        /** @description Requests to session endpoints and creates at work at once, from their heads to their answers. */
        inFlight?: null | components["schemas"]["Count"];
        /** @description Bytes of media that are sent to clients, a second. */
        mediaBytesPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Messages sent by `POST /message`, by days of UTC.
         * @example 5000
         */
        messagesPerDay?: null | components["schemas"]["Count"];
        /**
         * @description Requests to session endpoints, creates and its keys' calls of `/admin`, a second.
         * @example 20
         */
        requestsPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Sessions at once, of both platforms.
         * @example 100
         */
        sessions?: null | components["schemas"]["Count"];
        /** @description Webhook requests at once: kept by shards. */
        webhooks?: null | components["schemas"]["Count"];
      };
    };
    /** @description What a caller may say of a session on every platform. */
    NotesForm: {
      /**
       * @description For people to read: one line of at most 64 characters. Lists of sessions show it and can be narrowed to it.
       * @example till 7
       */
      label?: string;
      /** @description Any JSON object of at most 1,024 bytes; kept sealed. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description What its connections to the platform go through, in the place of the api key's or its tenant's proxy: `socks5://[user:password@]host:port`, or `http://…`. Kept sealed, never shown.
       * @example socks5://till:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy?: string;
    };
    /** @description How fast each of its sessions may send; `null`: as fast as the deployment says. */
    Pace: {
      /** @description First messages an hour to people with whom it has exchanged none, 0: any number. */
      newContactsPerHour: null | components["schemas"]["Count"];
      /**
       * @description Messages a minute, 0: as fast as it can.
       * @example 60
       */
      sendsPerMinute: null | components["schemas"]["Count"];
    };
    /** @description One page of a list. A page of a long walk may be short, or empty, and yet have a next one. */
    PageAuditRow: {
      /** @description The rows. */
      readonly docs: components["schemas"]["AuditRow"][];
      /**
       * @description `after` of the next page; empty after the last one.
       * @example
       */
      readonly next: string;
    };
    /** @description One page of a list. A page of a long walk may be short, or empty, and yet have a next one. */
    PageMemberRow: {
      /** @description The rows. */
      readonly docs: components["schemas"]["MemberRow"][];
      /**
       * @description `after` of the next page; empty after the last one.
       * @example
       */
      readonly next: string;
    };
    /** @description One page of a list. A page of a long walk may be short, or empty, and yet have a next one. */
    PageSessionRow: {
      /** @description The rows. */
      readonly docs: components["schemas"]["SessionRow"][];
      /**
       * @description `after` of the next page; empty after the last one.
       * @example 2741.6b01aa5342b4f53c9f4c7e33
       */
      readonly next: string;
    };
    /** @description One page of a list. A page of a long walk may be short, or empty, and yet have a next one. */
    PageShownKey: {
      /** @description The rows. */
      readonly docs: components["schemas"]["ShownKey"][];
      /**
       * @description `after` of the next page; empty after the last one.
       * @example
       */
      readonly next: string;
    };
    /** @description One page of a list. A page of a long walk may be short, or empty, and yet have a next one. */
    PageShownTenant: {
      /** @description The rows. */
      readonly docs: components["schemas"]["ShownTenant"][];
      /**
       * @description `after` of the next page; empty after the last one.
       * @example
       */
      readonly next: string;
    };
    /** @description The signed answer of a passkey; byte strings in base64url without padding. */
    PasskeyAssertion: {
      /**
       * @description What the authenticator says of itself and of the person.
       * @example hpqnVsQRI0g4AbZ9CgzPaAzMdO7GSZfqjWJgzyYfvH4FAAAAAA
       */
      authenticatorData: string;
      /**
       * @description What was signed, as the browser saw it: the challenge and the page's origin.
       * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0
       */
      clientDataJSON: string;
      /**
       * @description The signature over both.
       * @example MEQCIBhZb2YvSmNxT2RkZ3l1b3VQZGdmZ2hqa2xxd2VyAiB0eXVpb3Bhc2RmZ2hqa2x6eGN2Ym5t
       */
      signature: string;
      /**
       * @description Whose passkey it is, as the passkey says.
       * @example VXNlciBvZiB0aGlzIGV4YW1wbGU
       */
      userHandle?: string | null;
    };
    /** @description What `toJSON()` of the browser's credential gives. Other fields of it are taken and not passed on. */
    PasskeyCredential: {
      /**
       * @description Id of the passkey, base64url.
       * @example n4bQgYhMfWWaL-qgxVrQFaO_Txs
       */
      id: string;
      /**
       * @description The same.
       * @example n4bQgYhMfWWaL-qgxVrQFaO_Txs
       */
      rawId: string;
      /** @description The answer to the challenge. */
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
       * @description Its credential id.
       * @example n4bQgYhMfWWaL-qgxVrQFaO_Txs
       */
      id: string;
      /** @description How a browser may reach it, such as `hybrid` for one on a phone. */
      transports?: string[];
      /**
       * @description `public-key`.
       * @example public-key
       */
      type: string;
    };
    /** @description The answer of a passkey. */
    PasskeyForm: {
      /** @description What `PublicKeyCredential.toJSON()` gives. */
      credential: components["schemas"]["PasskeyCredential"];
    };
    /** @description What the platform asks a passkey: `PublicKeyCredentialRequestOptions` in their JSON form, for `PublicKeyCredential.parseRequestOptionsFromJSON`. Byte strings are base64url without padding. */
    PasskeyOptions: {
      /** @description The passkeys that may answer. */
      allowCredentials?: components["schemas"]["PasskeyDescriptor"][];
      /**
       * @description Signed by the passkey.
       * @example Zm9yIHRoZSBwYXNza2V5IG9mIGFsaWNl
       */
      challenge: string;
      /** @description As the platform sends them. */
      extensions?: {
        [key: string]: unknown;
      };
      /**
       * @description Whose passkey it is.
       * @example whatsapp.com
       */
      rpId: string;
      /**
       * @description Milliseconds that the browser may take.
       * @example 600000
       */
      timeout?: number;
      /**
       * @description Whether the person must prove to be there.
       * @example required
       */
      userVerification?: string;
    };
    /** @description What a session shows of a passkey that its account is linked with. */
    PasskeyStatus: {
      /**
       * @description The eight characters that the phone must show too; empty in other states than `confirm`.
       * @example
       */
      code: string;
      /**
       * @description When this step ends by itself, ISO 8601; empty when nothing is under way.
       * @example 2026-11-21T14:37:39.000Z
       */
      expires: string;
      /** @description For `navigator.credentials.get`, while the state is `challenge`. */
      options: null | components["schemas"]["PasskeyOptions"];
      /**
       * @description Why the account was not linked; empty otherwise.
       * @example
       */
      reason: string;
      /**
       * @description `none`: nothing is asked for. `challenge`: `options` wait for the passkey. `sent`: the platform and the phone are to go on. `confirm`: `code` is to be compared with the phone's. `done`: the account is
       *     linked. `failed`: `reason` says why it was not.
       * @example challenge
       * @enum {string}
       */
      state: "done" | "failed" | "none" | "challenge" | "sent" | "confirm";
      /**
       * @description In the header `passkey-token` it stands for `session-id` here, and for this attempt alone; empty when nothing is under way.
       * @example pQ0o8mWcZLkqB1Wd6oH4bq3m2sYb0S3g1u5cQyZr7xE
       */
      token: string;
    };
    /** @description The two-step password. */
    PasswordForm: {
      /**
       * @description Taken as it is, blanks too.
       * @example correct horse
       */
      password: string;
    };
    /** @description The other side of a private chat. What is not known is empty. */
    Person: {
      /**
       * @description Platform user id; usable as `user` in requests.
       * @example 5100000001
       */
      id: string;
      /**
       * @description Name to show.
       * @example Bob Builder
       */
      name: string;
      /**
       * @description Number; empty unless it is shared with the account.
       * @example 15550100002
       */
      phone: string;
      /**
       * @description Signed link of the small profile photo (variant `profile`); empty without one. A new photo gets a new link.
       * @example http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/5100000001/1000005100000001/profile/aMRPs_xo-ih48G4fvZlB9hLk9rUY.jpg
       */
      thumbnail: string;
      /**
       * @description Username without `@`.
       * @example bob_sandbox
       */
      username: string;
    };
    /** @description One message of a private chat, in the words of the channel message record where both have the field. */
    PrivateMessage: {
      /**
       * @description The same in all messages of one album; empty outside of albums.
       * @example
       */
      albumId: string;
      /**
       * @description True for a video without sound, or a GIF, that plays by itself and over again.
       * @example false
       */
      animation: boolean;
      /** @description The person whom the chat is with. */
      chat: components["schemas"]["Person"];
      /** @description Present when `type` is `contact`. */
      contact?: components["schemas"]["ToldContact"];
      /**
       * @description When it was written.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Seconds; 0 unless audio or video.
       * @example 0
       */
      duration: number;
      /**
       * @description When it was last edited, ISO 8601; empty when never.
       * @example 2026-11-21T14:28:00.000Z
       */
      edited: string;
      /** @description What parts of `text` are: formatted, links, people. In the order of the platform; empty without any. */
      entities: components["schemas"]["TextEntity"][];
      /**
       * @description True when the account itself wrote it, on another device.
       * @example false
       */
      fromMe: boolean;
      /**
       * @description Pixels; 0 when unknown.
       * @example 0
       */
      height: components["schemas"]["Count"];
      /**
       * @description Number of the message within the account.
       * @example 301
       */
      id: string;
      /** @description Present when `type` is `location`. */
      location?: components["schemas"]["ToldLocation"];
      /**
       * @description Media type of its file; empty without one.
       * @example
       */
      mimetype: string;
      /**
       * @description File name of a document; empty otherwise.
       * @example
       */
      name: string;
      /**
       * @description Performer of audio; empty when unknown.
       * @example
       */
      performer: string;
      /**
       * @description Id of the message that it answers; empty otherwise.
       * @example 300
       */
      replyTo: string;
      /**
       * @description True for a round video message.
       * @example false
       */
      round: boolean;
      /**
       * @description Bytes of the file behind `url`; 0 without media.
       * @example 0
       */
      size: components["schemas"]["Count"];
      /**
       * @description Its text or caption; empty without one.
       * @example Hello 👋, see the list
       */
      text: string;
      /**
       * @description Signed link of its thumbnail; empty without one.
       * @example
       */
      thumbnail: string;
      /**
       * @description Title of audio; empty when unknown.
       * @example
       */
      title: string;
      /**
       * @description What it is.
       * @example location
       * @enum {string}
       */
      type: "text" | "image" | "video" | "audio" | "document" | "location" | "contact" | "sticker" | "other";
      /**
       * @description Signed link of its file; empty without media.
       * @example
       */
      url: string;
      /**
       * @description True for audio that was recorded as a voice message.
       * @example false
       */
      voice: boolean;
      /**
       * @description Pixels; 0 when unknown.
       * @example 0
       */
      width: components["schemas"]["Count"];
    };
    /** @description `PUT /admin/sessions/{id}/proxy`. */
    ProxyForm: {
      /**
       * @description `socks5://[user:password@]host:port`, or `http://…`. Kept sealed, never shown.
       * @example socks5://till:c0rrect-h0rse@proxy.example.com:1080
       */
      proxy: string;
    };
    /** @description What a tenant may have at most; `null`: no limit. Each of them is enforced: what is not, does not stand here. */
    Quotas: {
      /**
       * @description How many of those requests may come at once; without it a second's worth. Needs `requestsPerSecond`.
       * @example 40
       */
      burst: null | components["schemas"]["Count"];
      /** @description Downloads, renders and fetches of media at once: kept by shards. */
      downloads: null | components["schemas"]["Count"];
      /** @description Requests to session endpoints and creates at work at once, from their heads to their answers. */
      inFlight: null | components["schemas"]["Count"];
      /** @description Bytes of media that are sent to clients, a second. */
      mediaBytesPerSecond: null | components["schemas"]["Count"];
      /**
       * @description Messages sent by `POST /message`, by days of UTC.
       * @example 5000
       */
      messagesPerDay: null | components["schemas"]["Count"];
      /**
       * @description Requests to session endpoints, creates and its keys' calls of `/admin`, a second.
       * @example 20
       */
      requestsPerSecond: null | components["schemas"]["Count"];
      /**
       * @description Sessions at once, of both platforms.
       * @example 100
       */
      sessions: null | components["schemas"]["Count"];
      /** @description Webhook requests at once: kept by shards. */
      webhooks: null | components["schemas"]["Count"];
    };
    /** @description Messages that were read. */
    ReadMessages: {
      /**
       * @description `them`: the other side read ours; `me`: the account read theirs, on another device.
       * @example them
       * @enum {string}
       */
      by: "them" | "me";
      /** @description The person whom the chat is with. */
      chat: components["schemas"]["Person"];
      /**
       * @description All messages up to this id are read.
       * @example 300
       */
      until: string;
    };
    /** @description The body of a webhook request. */
    ReadMessagesEvent: {
      /**
       * @description When it happened, by the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description What the type has to tell. */
      data: components["schemas"]["ReadMessages"];
      /**
       * @description Id of the event, the same in every repeat: what was seen once may be passed over.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session whose account it concerns.
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
    /** @description The session's own call was refused, or failed. */
    RefusedLine: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      readonly id: string;
      /**
       * @description The sentence of that call.
       * @example session not found
       */
      readonly message: string;
      /**
       * @description Status of the session's own call.
       * @example 404
       */
      readonly status: number;
    };
    /** @description What became of a session's dead letters. */
    ReplayOutput: {
      /**
       * @description What found no room in the outbox, or is from before the webhook was turned on.
       * @example 0
       */
      left: components["schemas"]["Count"];
      /**
       * @description They wait for the receiver again, with their ids and bytes.
       * @example 2
       */
      replayed: components["schemas"]["Count"];
    };
    /** @description What was asked to go out at once. */
    RetryOutput: {
      /**
       * @description Events that wait: the oldest is tried now, the others follow when it is taken.
       * @example 3
       */
      waiting: components["schemas"]["Count"];
    };
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    RotationNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Stored texts that were sealed anew.
       * @example 1024
       */
      done: components["schemas"]["Count"];
      /**
       * @description Stored texts that do not open, and stay as they are.
       * @example 0
       */
      failed: components["schemas"]["Count"];
      /**
       * @description Who works on it.
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
       * @description Stored texts to seal anew.
       * @example 2560
       */
      total: components["schemas"]["Count"];
    };
    /** @description How far a rotation has come. Instants are empty while there is none. */
    RotationRow: {
      /**
       * @description Stored texts that were sealed anew.
       * @example 412
       */
      done: components["schemas"]["Count"];
      /**
       * @description When it ended, ISO 8601.
       * @example 2026-11-21T02:00:04.000Z
       */
      ended: string;
      /**
       * @description Stored texts that do not open, and stay as they are.
       * @example 0
       */
      failed: components["schemas"]["Count"];
      /**
       * @description Shard that works on it.
       * @example shard-1
       */
      member: string;
      /**
       * @description When it began, ISO 8601.
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
       * @description Stored texts to seal anew.
       * @example 412
       */
      total: components["schemas"]["Count"];
    };
    /** @description `POST /admin/keyring/rotate`. */
    SealingKeyForm: {
      /**
       * @description Name of the key that is to seal: one letter or digit, in `CRED_KEYS` of every process.
       * @example b
       */
      key: string;
    };
    /** @description Whom a key stands for. */
    SelfRow: {
      /**
       * @description Id of the key; `local` for a caller of this machine where no key is configured.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly key: string;
      /** @description What it may ask for. */
      readonly may: components["schemas"]["Action"][];
      /**
       * @description What it may do, in a word.
       * @example tenant
       * @enum {string}
       */
      readonly role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Whose it is; `null` for the role `admin`.
       * @example acme
       */
      readonly tenant: string | null;
    };
    /** @description A new session. Whoever has both acts as the account: keep `sessionId` like a password. */
    SessionCredentials: {
      /**
       * @description Goes into the header `id`.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description Goes into the header `session-id`. Shown once; only its hash is kept.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      sessionId: string;
    };
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    SessionNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Who holds it.
       * @example shard-1
       */
      member: string;
      /**
       * @description On which platform it is.
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
       * @description How far its login has come now.
       * @example connected
       * @enum {string}
       */
      state: "awaiting-password" | "connected" | "disconnected" | "deleted" | "awaiting-qr";
      /**
       * @description To whom it belongs.
       * @example acme
       */
      tenant: string;
    };
    /** @description A session with what its connections go through. */
    SessionProxy: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /** @description What its connections go through. */
      proxy: components["schemas"]["SessionWay"];
    };
    /** @description What waits for its session's receiver. */
    SessionQueue: {
      /**
       * @description Events that were given up, and are kept.
       * @example 2
       */
      deadLetters: components["schemas"]["Count"];
      /**
       * @description Events that wait.
       * @example 0
       */
      events: components["schemas"]["Count"];
    };
    /** @description The answer of every call that only confirms. */
    SessionReference: {
      /**
       * @description Id of the session.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
    };
    /** @description One session, as operators see it. Texts are empty where there is nothing to say. */
    SessionRow: {
      /**
       * @description Id of the session, 24 hex digits.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description What its creator called it.
       * @example till 7
       */
      label: string;
      /**
       * @description What befell it last, in a few words of ours.
       * @example
       */
      lastError: string;
      /**
       * @description Who holds it now; empty while nobody does.
       * @example shard-1
       */
      member: string;
      /**
       * @description Name of the account.
       * @example Alice
       */
      name: string;
      /**
       * @description Number of the account.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description On which platform it is.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /**
       * @description When it came into this state.
       * @example 2026-11-21T14:27:39.000Z
       */
      since: components["schemas"]["Instant"];
      /**
       * @description Its slot, 0 to 4095: what moves as a whole.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description How far its login has come, as far as this router can see.
       * @example connected
       * @enum {string}
       */
      state: "awaiting-password" | "connected" | "disconnected" | "awaiting-qr";
      /**
       * @description To whom it belongs.
       * @example default
       */
      tenant: string;
      /**
       * @description For how long the oldest event has waited for the session's receiver, seconds; 0 when none waits.
       * @example 0
       */
      webhookLag: components["schemas"]["Count"];
    };
    /** @description What the connections of a session go through. */
    SessionWay: {
      /**
       * @description Without its login. Empty for none, and, but for the role `admin`, for the key's and the tenant's.
       * @example socks5://***@proxy.example.com:1080
       */
      address: string;
      /**
       * @description Whose proxy: the session's own, the one that it was given by the key that created it, or its tenant's.
       * @example session
       * @enum {string}
       */
      of: "session" | "tenant" | "key" | "none";
    };
    /** @description What is told of a key that exists. */
    ShownKey: {
      /**
       * @description When it was made.
       * @example 2026-11-21T14:27:39.000Z
       */
      readonly created: components["schemas"]["Instant"];
      /** @description When it ends by itself; `null` for a key that lasts until it is revoked. */
      readonly expires: null | components["schemas"]["Instant"];
      /**
       * @description Id of the key, 20 hex digits; not secret: the audit names it.
       * @example 6b01aa5342b4f53c9f4c
       */
      readonly id: string;
      /**
       * @description What its maker called it.
       * @example shop backend
       */
      readonly label: string;
      /** @description When it was last used, to the minute or so; `null` when never. */
      readonly lastUsed: null | components["schemas"]["Instant"];
      /**
       * @description What the sessions that it creates go through, without its login; `null`: their tenant's proxy, or nothing.
       * @example http://***@proxy.example.com:3128
       */
      readonly proxy: string | null;
      /**
       * @description What it may do.
       * @example tenant
       * @enum {string}
       */
      readonly role: "tenant" | "read" | "admin" | "create";
      /**
       * @description Whose it is; `null` for the role `admin`.
       * @example acme
       */
      readonly tenant: string | null;
    };
    /** @description One session with what its connections go through. */
    ShownSession: {
      /**
       * @description Id of the session, 24 hex digits.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description What its creator called it.
       * @example till 7
       */
      label: string;
      /**
       * @description What befell it last, in a few words of ours.
       * @example
       */
      lastError: string;
      /**
       * @description Who holds it now; empty while nobody does.
       * @example shard-1
       */
      member: string;
      /**
       * @description Name of the account.
       * @example Alice
       */
      name: string;
      /**
       * @description Number of the account.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description On which platform it is.
       * @example telegram
       * @enum {string}
       */
      platform: "whatsapp" | "telegram";
      /** @description What its connections go through. */
      proxy: components["schemas"]["SessionWay"];
      /** @description What waits for its receiver. */
      queue: components["schemas"]["SessionQueue"];
      /**
       * @description When it came into this state.
       * @example 2026-11-21T14:27:39.000Z
       */
      since: components["schemas"]["Instant"];
      /**
       * @description Its slot, 0 to 4095: what moves as a whole.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description How far its login has come, as far as this router can see.
       * @example connected
       * @enum {string}
       */
      state: "awaiting-password" | "connected" | "disconnected" | "awaiting-qr";
      /**
       * @description To whom it belongs.
       * @example default
       */
      tenant: string;
      /**
       * @description For how long the oldest event has waited for the session's receiver, seconds; 0 when none waits.
       * @example 0
       */
      webhookLag: components["schemas"]["Count"];
    };
    /**
     * @description `draining`: gives its slots away, because an operator or its own end asks for it. `drained`: an operator did, and it has none left.
     * @enum {string}
     */
    ShownState: "drained" | "active" | "draining" | "dead" | "gone";
    /** @description A customer of the deployment. */
    ShownTenant: {
      /**
       * @description When it was made.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Its name.
       * @example acme
       */
      name: string;
      /** @description How fast each of its sessions may send. */
      pace: components["schemas"]["Pace"];
      /**
       * @description What the connections of its sessions go through, without its login; `null`: nothing.
       * @example socks5://***@proxy.example.com:1080
       */
      proxy: string | null;
      /** @description What it may have at most; `null`: no limit. */
      quotas: components["schemas"]["Quotas"];
    };
    /** @description A key with an end. */
    SignedIn: {
      /**
       * @description When it ends by itself.
       * @example 2026-11-22T22:00:00.000Z
       */
      expires: components["schemas"]["Instant"];
      /**
       * @description Goes into the header `x-api-key`.
       * @example tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      key: string;
    };
    /** @description The one-time code of a start. */
    SignInForm: {
      /**
       * @description As it stands in the link that the start prints.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCy
       */
      code: string;
    };
    /** @description One of the 4096 partitions of session ids. Texts are empty where there is nothing to say. */
    SlotRow: {
      /**
       * @description Who owns it.
       * @example shard-1
       */
      member: string;
      /**
       * @description Who is to own it whenever it can, by an operator's word.
       * @example shard-1
       */
      pin: string;
      /**
       * @description How many sessions it has; `null`, but for the role `admin`.
       * @example 3
       */
      sessions: null | components["schemas"]["Count"];
      /**
       * @description Its number, 0 to 4095.
       * @example 2741
       */
      slot: components["schemas"]["Count"];
      /**
       * @description `lost`: its owner is dead, and nobody has taken it yet.
       * @example held
       * @enum {string}
       */
      state: "draining" | "held" | "free" | "lost";
    };
    /** @description The type stands beside the data, and ids are texts to those who read them. */
    SlotsNews: {
      /**
       * @description When.
       * @example 2026-11-22T10:00:00.000Z
       */
      at: string;
      /**
       * @description Who took them.
       * @example shard-1
       */
      member: string;
      /** @description Their numbers. */
      slots: number[];
    };
    /** @description A picture. The service downloads it by itself. */
    StoryImageForm: {
      /**
       * @description Media type of the file, such as `image/jpeg`.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description Public URL that points straight at the file: JPEG, PNG, WebP, GIF, TIFF, AVIF or BMP.
       * @example https://example.com/cake.jpg
       */
      url: string;
    };
    TelegramAudioMessage: {
      /** @description The sound. */
      audio: components["schemas"]["AudioForm"];
      /**
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "audio";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A channel that the account follows or runs; never a group. */
    TelegramChannel: {
      /**
       * @description When the account joined it.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Channel id; it starts with `-100`.
       * @example -1002000000001
       */
      id: string;
      /**
       * @description True when the account created or administers it. Posting needs the right to.
       * @example true
       */
      isOwner: boolean;
      /**
       * @description Name of the channel.
       * @example Alice's news
       */
      name: string;
      /**
       * @description Small photo as a data URI; may be empty.
       * @example
       */
      picture: string;
      /**
       * @description Username without `@`; empty for private channels.
       * @example alice_news
       */
      username: string;
    };
    /** @description One message of a channel. The document does not show these records: they are ours, with media as signed links. */
    TelegramChannelMessage: {
      /**
       * @description The same in all messages of one album; empty outside of albums.
       * @example
       */
      albumId: string;
      /**
       * @description True for a video without sound, or a GIF, that plays by itself and over again.
       * @example false
       */
      animation: boolean;
      /**
       * @description The channel that it stands in.
       * @example -1002000000001
       */
      channelId: string;
      /**
       * @description When it was posted.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Seconds; 0 unless audio or video.
       * @example 0
       */
      duration: number;
      /**
       * @description When it was last edited, ISO 8601; empty when never.
       * @example
       */
      edited: string;
      /** @description What parts of `text` are: formatted, links, people. In the order of the platform; empty without any. */
      entities: components["schemas"]["TextEntity"][];
      /**
       * @description Pixels; 0 when unknown.
       * @example 1920
       */
      height: components["schemas"]["Count"];
      /**
       * @description Number of the message within its channel; `before` of the next page.
       * @example 101
       */
      id: string;
      /**
       * @description Media type of its file; empty without one.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description File name of a document; empty otherwise.
       * @example
       */
      name: string;
      /**
       * @description Performer of audio; empty when unknown.
       * @example
       */
      performer: string;
      /**
       * @description True for a round video message.
       * @example false
       */
      round: boolean;
      /**
       * @description Bytes of the file behind `url`; 0 without media.
       * @example 105825
       */
      size: components["schemas"]["Count"];
      /**
       * @description Its text or caption; empty without one.
       * @example New today
       */
      text: string;
      /**
       * @description Signed link of its thumbnail; empty without one.
       * @example http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/-1002000000001/101/thumb/aKbqdZUT2tdJ0VDWYbEL1TMyOht0.jpg
       */
      thumbnail: string;
      /**
       * @description Title of audio; empty when unknown.
       * @example
       */
      title: string;
      /**
       * @description What it is.
       * @example image
       * @enum {string}
       */
      type: "text" | "image" | "video" | "audio" | "document" | "sticker" | "other";
      /**
       * @description Signed link of its file, absolute when the service knows its base address; empty without media.
       * @example http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/-1002000000001/101/photo/aTUb_LcflPGV6HtpS_dybURhJX6Y.jpg
       */
      url: string;
      /**
       * @description How often it was seen.
       * @example 12
       */
      views: components["schemas"]["Count"];
      /**
       * @description True for audio that was recorded as a voice message.
       * @example false
       */
      voice: boolean;
      /**
       * @description Pixels; 0 when unknown.
       * @example 2560
       */
      width: components["schemas"]["Count"];
    };
    TelegramContactMessage: {
      /**
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /** @description The contact. */
      contact: components["schemas"]["ContactForm"];
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "contact";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    TelegramDocumentMessage: {
      /**
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /** @description The file. */
      document: components["schemas"]["DocumentForm"];
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Caption.
       * @example Your invoice
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "document";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description A group that the account is in: a basic group or a supergroup. */
    TelegramGroup: {
      /**
       * @description When the account joined it.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Its description; empty when there is none. May be 5 minutes old.
       * @example Orders and offers
       */
      description: string;
      /**
       * @description Group id; it starts with `-`, that of a supergroup with `-100`.
       * @example -1001000000001
       */
      id: string;
      /**
       * @description Name of the group.
       * @example Sales
       */
      name: string;
      /**
       * @description Small photo as a data URI; may be empty.
       * @example
       */
      picture: string;
      /**
       * @description Public username without `@`; empty for private and basic groups.
       * @example sales_sandbox
       */
      username: string;
    };
    /** @description A member of a group. */
    TelegramGroupMember: {
      /**
       * @description The platform's id of the user; usable as `user` in requests.
       * @example 5100000002
       */
      id: string;
      /**
       * @description Name to show; the username, phone or id when there is none.
       * @example Bob Builder
       */
      name: string;
      /**
       * @description Number; empty unless the member shares it with the account.
       * @example 15550100002
       */
      phone: string;
      /**
       * @description Username without `@`; empty when there is none.
       * @example bob_sandbox
       */
      username: string;
    };
    TelegramImageMessage: {
      /**
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /** @description The picture. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    TelegramLocationMessage: {
      /**
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /** @description The place. */
      location: components["schemas"]["LocationForm"];
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "location";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
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
    /** @description One account: who it is, and how far its login has come. Variant B's record; variant A shows the same one with more. */
    TelegramSessionRecord: {
      /**
       * @description The platform's id of the account; empty before the first login.
       * @example 5100000001
       */
      generatedId: string;
      /**
       * @description Id of the session, 24 hex digits. Not secret: it is a part of media links.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description True when the account is logged in and connected now.
       * @example true
       */
      isConnected: boolean;
      /**
       * @description True when the code was scanned, and the account's two-step password is wanted.
       * @example false
       */
      isPasswordRequired: boolean;
      /**
       * @description Why the session is not connected, such as a login that the phone ended. Absent while it is connected, and where nothing befell it.
       * @example login was ended by the platform
       */
      lastError?: string;
      /**
       * @description Name of the account; its username, phone or id when it has none.
       * @example Alice
       */
      name: string;
      /**
       * @description The hint to that password, or why the account cannot log in; may be empty.
       * @example
       */
      passwordHint: string;
      /**
       * @description Number of the account, in international format.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description Small profile photo as a data URI; may be empty.
       * @example
       */
      picture: string;
      /**
       * @description QR code as a PNG in base64, without a `data:` prefix; replaced about every 30 seconds. Empty when there is none to scan, and in the first seconds.
       * @example
       */
      qrcode: string;
      /**
       * @description The session's secret, as the caller sent it; empty when an API key stood in its place.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      sessionId: string;
      /**
       * @description Username without `@`; empty when there is none.
       * @example alice_sandbox
       */
      username: string;
      /** @description Where events go. */
      webhook: components["schemas"]["WebhookSettings"];
    };
    /** @description A story on the account's profile. */
    TelegramStatusBody: components["schemas"]["TextStory"] | components["schemas"]["ImageStory"] | components["schemas"]["VideoStory"];
    /** @description Answered once the platform has posted the story. */
    TelegramStatusOutput: {
      /**
       * @description Id of the story on the profile; may be empty when the platform does not tell it although the story was posted.
       * @example 17
       */
      statusId: string;
    };
    TelegramTextMessage: {
      /**
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description The text, with the blanks around it.
       * @example Your order is on its way
       */
      text: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
    };
    /** @description An indicator to one recipient. */
    TelegramTypingBody: {
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description `text` shows that somebody writes, `audio` that a voice note is recorded; `text` when absent.
       * @example audio
       * @enum {string}
       */
      type?: "text" | "audio";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
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
       * @description Channel id that starts with `-100`, the username of a public channel, or a short link; the account needs the right to post there.
       * @example -1002000000001
       */
      channel?: string;
      /**
       * @description Group id that starts with `-`, the username of a public group, or a short link such as `t.me/name`. A whole JSON number is its digits.
       * @example -1001000000001
       */
      group?: string;
      /**
       * @description How marks in the text are read; without it the text is sent as it is. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's own tags.
       * @example markdown
       * @enum {string}
       */
      parseMode?: "markdown" | "html";
      /**
       * @description Number in international format: 8 to 15 digits after tidying, as in variant A.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /**
       * @description The platform's id of a user, as lists of members have it; a username or a short link too.
       * @example 5100000002
       */
      user?: string;
      /**
       * @description Username with or without `@`, or a short link.
       * @example bob_sandbox
       */
      username?: string;
      /** @description The film. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description `PATCH /admin/tenants/{name}`. */
    TenantChangeForm: {
      /** @description How fast each of its sessions may send, on both platforms. What is not named stays as it is; `null` goes back to the deployment's. A change holds within a second, for messages that wait as well. */
      pace?: null | {
        /** @description First messages an hour to people with whom it has exchanged none, 0: any number. */
        newContactsPerHour?: null | components["schemas"]["Count"];
        /** @description Messages a minute, 0: as fast as it can. */
        sendsPerMinute?: null | components["schemas"]["Count"];
      };
      /**
       * @description What the connections of its sessions to their platforms go through: `socks5://[user:password@]host:port`, or `http://…`. `null`: nothing. A change holds at once for all of its sessions that
       *     have no proxy of their own: they connect anew.
       * @example http://acme:c0rrect-h0rse@proxy.example.com:3128
       */
      proxy?: string | null;
      /** @description What it may have at most. A quota that is not named stays as it is; `null` takes a limit away. */
      quotas?: {
        /**
         * @description How many of those requests may come at once; without it a second's worth. Needs `requestsPerSecond`.
         * @example 40
         */
        burst?: null | components["schemas"]["Count"];
        /** @description Downloads, renders and fetches of media at once: kept by shards. */
        downloads?: null | components["schemas"]["Count"];
        /** @description Requests to session endpoints and creates at work at once, from their heads to their answers. */
        inFlight?: null | components["schemas"]["Count"];
        /** @description Bytes of media that are sent to clients, a second. */
        mediaBytesPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Messages sent by `POST /message`, by days of UTC.
         * @example 5000
         */
        messagesPerDay?: null | components["schemas"]["Count"];
        /**
         * @description Requests to session endpoints, creates and its keys' calls of `/admin`, a second.
         * @example 20
         */
        requestsPerSecond?: null | components["schemas"]["Count"];
        /**
         * @description Sessions at once, of both platforms.
         * @example 200
         */
        sessions?: null | components["schemas"]["Count"];
        /** @description Webhook requests at once: kept by shards. */
        webhooks?: null | components["schemas"]["Count"];
      };
    };
    /** @description A tenant that is gone. */
    TenantReference: {
      /**
       * @description Its name.
       * @example acme
       */
      name: string;
    };
    /** @description What an event of the type `test` tells: somebody asked for it in order to try the receiver. */
    TestData: {
      /**
       * @description A sentence that says so.
       * @example This is a test event. Nothing happened.
       */
      text: string;
    };
    /** @description The body of a webhook request. */
    TestEvent: {
      /**
       * @description When it happened, by the platform's clock.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /** @description What the type has to tell. */
      data: components["schemas"]["TestData"];
      /**
       * @description Id of the event, the same in every repeat: what was seen once may be passed over.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Id of the session whose account it concerns.
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
       * @description Its id, which the receiver finds in `webhook-id`.
       * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
       */
      id: string;
      /**
       * @description Events that wait, with this one: it goes out behind the others.
       * @example 1
       */
      waiting: components["schemas"]["Count"];
    };
    /** @description A part of a message's text that is formatted, or leads somewhere. */
    TextEntity: {
      /**
       * @description Platform id of a `custom_emoji`.
       * @example 5368324170671202286
       */
      emoji?: string;
      /**
       * @description Programming language of a `pre`, when its author named one.
       * @example ts
       */
      language?: string;
      /**
       * @description How long it is, in UTF-16 code units.
       * @example 5
       */
      length: components["schemas"]["Count"];
      /**
       * @description Where the part begins, in UTF-16 code units.
       * @example 0
       */
      offset: components["schemas"]["Count"];
      /**
       * @description What the part is; `text_link` is a link behind a text, `text_mention` a person behind a text.
       * @example text_mention
       * @enum {string}
       */
      type:
        | "bold"
        | "code"
        | "mention"
        | "hashtag"
        | "cashtag"
        | "bot_command"
        | "url"
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
       * @description Where a `text_link` leads.
       * @example https://example.org/
       */
      url?: string;
      /**
       * @description Platform user id of the person of a `text_mention`.
       * @example 5100000002
       */
      user?: string;
    };
    TextForm: {
      /**
       * @description The text, with the blanks around it.
       * @example We are open until eight
       */
      text: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
    };
    TextStory: {
      /**
       * @description Who may see it; `contacts` when absent. `close_friends` are those of the list that is set on the platform.
       * @example everyone
       * @enum {string}
       */
      privacy?: "everyone" | "contacts" | "close_friends";
      /**
       * @description Drawn in white on a dark green picture of 1080 x 1920. What does not fit is cut off.
       * @example We are open until eight
       */
      text: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
    };
    /** @description A contact that was sent. */
    ToldContact: {
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
    /** @description A place that was sent. What is not known is empty. */
    ToldLocation: {
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
    /** @description "Media objects" of both variants: what a caller may write (blanks are taken out before), and what of it a command gets: a new object with the known fields only. */
    Url: string;
    VideoContentForm: {
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /** @description The film. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description A film. The service downloads it by itself. */
    VideoForm: {
      /**
       * @description Length in seconds, greater than 0; rounded up to whole ones.
       * @example 12
       */
      duration: number;
      /**
       * @description Media type of the file, such as `video/mp4`.
       * @example video/mp4
       */
      mimetype: components["schemas"]["Mimetype"];
      /**
       * @description Public URL of a thumbnail; without one it is made of the first frame.
       * @example https://example.com/oven.jpg
       */
      thumbnail?: string;
      /**
       * @description Public URL that points straight at the file. MP4 is the safest format.
       * @example https://example.com/oven.mp4
       */
      url: components["schemas"]["Url"];
    };
    VideoStory: {
      /**
       * @description Who may see it; `contacts` when absent. `close_friends` are those of the list that is set on the platform.
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
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /** @description The film, posted as it is. */
      video: components["schemas"]["VideoForm"];
    };
    /** @description Both filled, or both empty to turn the webhook off. */
    WebhookForm: {
      /**
       * @description Sent in the header `x-token`, and the secret of the signature: printable ASCII without blanks around it, at most 2,048 bytes.
       * @example s3cret
       */
      token: string;
      /**
       * @description The receiver: an `http` or `https` URL of at most 2,048 bytes. Local addresses are allowed unless the deployment forbids them.
       * @example https://example.com/hooks/trunkline
       */
      url: string;
    };
    /** @description Where events go; both are empty when the webhook is off. */
    WebhookSettings: {
      /**
       * @description Sent in the header `x-token` of each event, and the secret of its signature: printable ASCII, at most 2,048 bytes.
       * @example s3cret
       */
      token: string;
      /**
       * @description The receiver: an `http` or `https` URL of at most 2,048 bytes.
       * @example https://example.com/hooks/trunkline
       */
      url: string;
    };
    WhatsAppAudioMessage: {
      /** @description The sound. */
      audio: components["schemas"]["AudioForm"];
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "audio";
    };
    /** @description A channel that the account follows or runs. */
    WhatsAppChannel: {
      /**
       * @description When it was created.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Channel id; it ends in `@newsletter`.
       * @example 120363144038483540@newsletter
       */
      id: string;
      /**
       * @description True when the account owns or administers it. Messages go only to such channels.
       * @example true
       */
      isOwner: boolean;
      /**
       * @description Name of the channel.
       * @example Trunkline news
       */
      name: string;
      /**
       * @description URL of its picture; empty without one.
       * @example
       */
      picture: string;
    };
    /** @description One message of a channel. The document does not show these records: they are ours, with the fields of variant B that exist here. */
    WhatsAppChannelMessage: {
      /**
       * @description True for a video without sound that plays by itself and over again.
       * @example false
       */
      animation: boolean;
      /**
       * @description The channel that it stands in.
       * @example 120363144038483540@newsletter
       */
      channelId: string;
      /**
       * @description When it was posted.
       * @example 2026-11-21T14:27:39.000Z
       */
      created: components["schemas"]["Instant"];
      /**
       * @description Number of the message within its channel; `before` of the next page.
       * @example 101
       */
      id: string;
      /**
       * @description Media type of its file; empty without one.
       * @example image/jpeg
       */
      mimetype: string;
      /**
       * @description True for a round video message.
       * @example false
       */
      round: boolean;
      /**
       * @description Bytes of its file; 0 without one.
       * @example 105825
       */
      size: components["schemas"]["Count"];
      /**
       * @description Its text or caption; empty without one.
       * @example New today
       */
      text: string;
      /**
       * @description What it is.
       * @example image
       * @enum {string}
       */
      type: "text" | "image" | "video" | "audio" | "document" | "other";
      /**
       * @description How often it was seen, as far as the platform tells.
       * @example 12
       */
      views: components["schemas"]["Count"];
      /**
       * @description True for audio that was recorded as a voice message.
       * @example false
       */
      voice: boolean;
    };
    WhatsAppContactMessage: {
      /** @description The contact. */
      contact: components["schemas"]["ContactForm"];
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "contact";
    };
    WhatsAppDocumentMessage: {
      /** @description The file. */
      document: components["schemas"]["DocumentForm"];
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Caption.
       * @example Your invoice
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "document";
    };
    /** @description A group that the account is in. */
    WhatsAppGroup: {
      /**
       * @description When it was created; `null` when the platform does not tell.
       * @example 2025-03-14T09:26:53.000Z
       */
      created: null | components["schemas"]["Instant"];
      /**
       * @description Its description; empty when there is none.
       * @example Orders and offers
       */
      description: string;
      /**
       * @description Group id; it ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      id: string;
      /**
       * @description Name of the group.
       * @example Sales
       */
      name: string;
      /**
       * @description URL of its picture; empty when there is none.
       * @example https://example.com/pictures/sales.jpg
       */
      picture: string;
    };
    /** @description A member of a group. */
    WhatsAppGroupMember: {
      /**
       * @description Member id; it ends in `@s.whatsapp.net`, or in `@lid` when the platform hides the number.
       * @example 15550100002@s.whatsapp.net
       */
      id: string;
      /**
       * @description Name in the account's address book, else the number; empty for a hidden member who is not in it. The account itself has its own name.
       * @example Bob
       */
      name: string;
      /**
       * @description Number in international format; empty where the platform hides it.
       * @example 15550100002
       */
      phone: string;
    };
    WhatsAppImageMessage: {
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /** @description The picture. */
      image: components["schemas"]["ImageForm"];
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Caption.
       * @example New today
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "image";
    };
    WhatsAppLocationMessage: {
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /** @description The place. */
      location: components["schemas"]["LocationForm"];
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "location";
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
    /** @description One account: who it is, and how far its login has come. */
    WhatsAppSessionRecord: {
      /**
       * @description The platform's id of the account; empty before the first login.
       * @example 15550100001@s.whatsapp.net
       */
      generatedId: string;
      /**
       * @description Id of the session, 24 hex digits. Not secret: it is a part of media links.
       * @example 6b01aa5342b4f53c9f4c7e33
       */
      id: string;
      /**
       * @description True when the account is logged in and connected now.
       * @example true
       */
      isConnected: boolean;
      /**
       * @description True when the code was scanned, and the account's two-step password is wanted.
       * @example false
       */
      isPasswordRequired: boolean;
      /**
       * @description Why the session is not connected, such as a login that the phone ended. Absent while it is connected, and where nothing befell it.
       * @example login was ended by the platform
       */
      lastError?: string;
      /**
       * @description Name of the account; its username, phone or id when it has none.
       * @example Alice
       */
      name: string;
      /**
       * @description Eight characters to type on the phone; empty unless they were asked for and are waiting.
       * @example
       */
      pairingCode: string;
      /**
       * @description The hint to that password, or why the account cannot log in; may be empty.
       * @example
       */
      passwordHint: string;
      /**
       * @description Number of the account, in international format.
       * @example 15550100001
       */
      phone: string;
      /**
       * @description Small profile photo as a data URI; may be empty.
       * @example
       */
      picture: string;
      /**
       * @description QR code as a PNG in base64, without a `data:` prefix; replaced about every 30 seconds. Empty when there is none to scan, and in the first seconds.
       * @example
       */
      qrcode: string;
      /**
       * @description The session's secret, as the caller sent it; empty when an API key stood in its place.
       * @example nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g
       */
      sessionId: string;
      /**
       * @description Username without `@`; empty when there is none.
       * @example
       */
      username: string;
      /** @description Where events go. */
      webhook: components["schemas"]["WebhookSettings"];
    };
    /** @description A status: what its `type` says, to whom the account's own privacy setting says. */
    WhatsAppStatusBody:
      | components["schemas"]["TextForm"]
      | components["schemas"]["ImageContentForm"]
      | components["schemas"]["VideoContentForm"];
    /** @description Answered once the platform's server has accepted the status. */
    WhatsAppStatusOutput: {
      /**
       * @description The platform's id of the status.
       * @example 3EB0C431C26A1916E07B
       */
      statusId: string;
    };
    WhatsAppTextMessage: {
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description The text, with the blanks around it.
       * @example Your order is on its way
       */
      text: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "text";
    };
    /** @description An indicator to one recipient. */
    WhatsAppTypingBody: {
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description `text` shows that somebody writes, `audio` that a voice note is recorded; `text` when absent.
       * @example audio
       * @enum {string}
       */
      type?: "text" | "audio";
    };
    WhatsAppVideoMessage: {
      /**
       * @description Group id that ends in `@g.us`.
       * @example 120363025246125486@g.us
       */
      group?: string;
      /**
       * @description Channel id that ends in `@newsletter`; only channels that the account runs can be written to.
       * @example 120363144038483540@newsletter
       */
      newsletter?: string;
      /**
       * @description Number in international format: 5 to 15 digits after tidying, the first of them not 0. A leading `+` or `00`, spaces, dashes, brackets, dots and slashes are taken away; a whole JSON number is its digits.
       * @example 15550100002
       */
      phone?: string;
      /**
       * @description Caption.
       * @example Fresh from the oven
       */
      text?: string;
      /**
       * @description What it is. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "video";
      /** @description The film. */
      video: components["schemas"]["VideoForm"];
    };
  };
  responses: never;
  parameters: {
    /**
     * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
     * @example order-4711-confirmed
     */
    IdempotencyKey: string;
    /**
     * @description Id of the last event that was read: the stream goes on behind it, as far as events are kept (50,000).
     * @example 1795000000000-0
     */
    LastEventId: string;
    /**
     * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
     * @example order-4711
     */
    RequestId: string;
    /**
     * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
     * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     */
    TraceParent: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description How the body is packed: from 1 KiB on, for callers whose `Accept-Encoding` names that.
     * @example gzip
     */
    ContentEncoding: "br" | "gzip";
    /**
     * @description Which error it is, for programs: the sentence is for people. Every error has it.
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
     * @description `true` where the answer is that of an earlier request with the same `Idempotency-Key`.
     * @example true
     */
    IdempotencyReplayed: "true";
    /**
     * @description Nothing that is JSON may be kept: records change, and a QR code is as good as a password.
     * @example no-store
     */
    NoStore: "no-store";
    /**
     * @description The platform's own code, where it refused and named one (`x-error-code: platform-refused`).
     * @example CHAT_ADMIN_REQUIRED
     */
    PlatformError: string;
    /**
     * @description Where the tenant has a rate: requests that are left of it, and seconds until it is full again.
     * @example "requests";r=19;t=1
     */
    RateLimit: string;
    /**
     * @description Where the tenant has a rate: requests that may come at once, and in how many seconds as many come back.
     * @example "requests";q=20;w=2
     */
    RateLimitPolicy: string;
    /**
     * @description Under which logs and the audit name the request: the caller's own `x-request-id`, else the trace of its `traceparent`, else 128 random bits. Every answer has it.
     * @example 4bf92f3577b34da6a3ce929d0e0e4736
     */
    RequestId: string;
    /**
     * @description Seconds to wait before the request is sent again.
     * @example 1
     */
    RetryAfter: number;
    /**
     * @description Keeps proxies from gathering the answer before they pass it on.
     * @example no
     */
    Unbuffered: "no";
    /**
     * @description Headers of requests by which answers differ.
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
         * @description `next` of the page before; absent or empty for the first.
         * @example
         */
        after?: string;
        /**
         * @description Rows of one page at most, 1 to 1,000.
         * @example 100
         */
        limit?: number;
        /**
         * @description Which rows come first.
         * @example newest
         */
        order?: "oldest" | "newest";
        /**
         * @description `0` leaves out calls that only read, whatever came of them.
         * @example 0
         */
        reads?: "0" | "1";
        /**
         * @description Only what concerns this session.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        session?: string;
        /**
         * @description Only what was done from this instant on.
         * @example 2026-11-22T10:00:00Z
         */
        since?: components["schemas"]["Instant"];
        /**
         * @description Only what concerns this tenant.
         * @example acme
         */
        tenant?: string;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must stand once, with 256 characters at most`: A query parameter was sent twice, or is longer. It names the parameter.
       *     * `after must be the next of a page`: `after` is not what a page gave as its `next`.
       *     * `session must be a database id`: The parameter is no id of a session.
       *     * `since must be a time such as 2026-11-22T10:00:00Z`: The parameter is no instant with a zone.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description Id of the last event that was read: the stream goes on behind it, as far as events are kept (50,000).
         * @example 1795000000000-0
         */
        "Last-Event-ID"?: components["parameters"]["LastEventId"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Server-sent events. Each event type has a schema for its data: `SessionNews`, `CodeNews`, `DeliveriesNews`, `SlotsNews`, `LoadNews`, `MemberNews`, `RotationNews`, `MissedNews` and `EndNews`. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
       * @description * `too many event streams`: The router has 200 streams, or the key 8. Ask again, or another router.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyringRow"];
        };
      };
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SealingKeyForm"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyringRow"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `key must be one letter or digit`: `key` is no name of a key.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
      /** @description * `key b is missing in CRED_KEYS of router-1, shard-2`: A process could not open what that key seals. It names all of them. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description `next` of the page before; absent or empty for the first.
         * @example
         */
        after?: string;
        /**
         * @description Rows of one page at most, 1 to 1,000.
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageShownKey"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must stand once, with 256 characters at most`: A query parameter was sent twice, or is longer. It names the parameter.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `tenant not found`: There is no such tenant. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
      /** @description * `no more keys`: There are 10,000. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `key not found`: There is no such key, or it was revoked. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShownKey"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `key not found`: There is no such key, or it was revoked. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description `next` of the page before; absent or empty for the first.
         * @example
         */
        after?: string;
        /**
         * @description Rows of one page at most, 1 to 1,000.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must stand once, with 256 characters at most`: A query parameter was sent twice, or is longer. It names the parameter.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `member must be a shard`: The process is a router or supervisor: it owns no slots.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `member is the last active shard that is not drained`: Nobody else could take its slots. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `member must be a shard`: The process is a router or supervisor: it owns no slots.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SelfRow"];
        };
      };
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description `next` of the page before; absent or empty for the first.
         * @example
         */
        after?: string;
        /**
         * @description Only sessions with exactly this label.
         * @example till 7
         */
        label?: string;
        /**
         * @description Rows of one page at most, 1 to 1,000.
         * @example 100
         */
        limit?: number;
        /**
         * @description Only sessions that this shard holds.
         * @example shard-1
         */
        member?: string;
        /**
         * @description Only sessions of this platform.
         * @example telegram
         */
        platform?: "whatsapp" | "telegram";
        /**
         * @description Finds a part of a number, username, name or label, or the beginning of an id.
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must stand once, with 256 characters at most`: A query parameter was sent twice, or is longer. It names the parameter.
       *     * `after must be the next of a page`: `after` is not what a page gave as its `next`.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShownSession"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): Nobody knows whether it was done, and it must not be done twice.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description `next` of the page before; absent or empty for the first.
         * @example
         */
        after?: string;
        /**
         * @description Rows of one page at most, 1 to 100.
         * @example 50
         */
        limit?: number;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `after must be the next of a page`: `after` is not what a page gave as its `next`.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `webhook is off`: The session has no receiver. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): Nobody knows whether it was done, and it must not be done twice.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `member must be a shard`: The process is a router or supervisor: it owns no slots.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
       * @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
      /** @description * `member is drained or not active`: The shard is drained, leaves, or is dead. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
       *     * `session quota reached`: The tenant has as many sessions as it may.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `session is not deleted`: The session lives. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `webhook is off`: The session has no receiver. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
       * @description * `webhook is off`: The session has no receiver.
       *     * `too many events wait for the webhook`: 10,000 events or 16 MiB wait already: a test event would push out a real one.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): Nobody knows whether it was done, and it must not be done twice.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
          "application/x-ndjson": components["schemas"]["BulkLine"] | components["schemas"]["Error"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedIn"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
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
      /** @description * `invalid sign-in code`: The code was used, is too old, or never was one. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
      /** @description * `no more keys`: There are 10,000. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `slot not found`: The number is past the last slot. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `member must be a shard`: The process is a router or supervisor: it owns no slots.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
       * @description * `slot not found`: The number is past the last slot.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `slot not found`: The number is past the last slot. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description `next` of the page before; absent or empty for the first.
         * @example
         */
        after?: string;
        /**
         * @description Rows of one page at most, 1 to 1,000.
         * @example 100
         */
        limit?: number;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "Content-Encoding": components["headers"]["ContentEncoding"];
          Vary: components["headers"]["Vary"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PageShownTenant"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `tenant must stand once, with 256 characters at most`: A query parameter was sent twice, or is longer. It names the parameter.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
      201: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShownTenant"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `quotas.burst needs quotas.requestsPerSecond`: A burst without a rate means nothing.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `tenant exists`: The name is taken.
       *     * `no more tenants`: There are 10,000.
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShownTenant"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `tenant not found`: There is no such tenant. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `tenant not found`: There is no such tenant. */
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
       *     * `tenant has sessions`: Its sessions must be deleted first.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
      200: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShownTenant"];
        };
      };
      /**
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `quotas.burst needs quotas.requestsPerSecond`: A burst without a rate means nothing.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `administration is possible from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
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
      /** @description * `tenant not found`: There is no such tenant. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description A channel id of at most 256 bytes; on Telegram the username of a public channel too.
         * @example -1002000000001
         */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `channel not found`: It is no channel, or one that the account has not joined.
       *     * `invalid chat`: The id or username has another form.
       *     * `chat not found`: Nobody has the username, or the account does not know the id yet.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description Only messages before the one with this id; absent or 0: from the newest on.
         * @example 0
         */
        before?: number;
        /**
         * @description A channel id of at most 256 bytes; on Telegram the username of a public channel too.
         * @example -1002000000001
         */
        channelId: string;
        /**
         * @description Messages of one page, 1 to 100.
         * @example 50
         */
        limit?: number;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `channel not found`: It is no channel, or one that the account has not joined.
       *     * `invalid chat`: The id or username has another form.
       *     * `chat not found`: Nobody has the username, or the account does not know the id yet.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description A group id that starts with `-`, or the username of a public group; at most 256 bytes.
         * @example -1001000000001
         */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `group not found`: It is no group, or one that the account has not joined. For the old id of an upgraded group the sentence goes on with `, it was upgraded to <new id>`.
       *     * `invalid chat`: The id or username has another form.
       *     * `chat not found`: Nobody has the username, or the account does not know the id yet.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A group id that starts with `-`, or the username of a public group; at most 256 bytes.
         * @example -1001000000001
         */
        groupId: string;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `group not found`: It is no group, or one that the account has not joined. For the old id of an upgraded group the sentence goes on with `, it was upgraded to <new id>`.
       *     * `invalid chat`: The id or username has another form.
       *     * `chat not found`: Nobody has the username, or the account does not know the id yet.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description Tags of what the caller has already.
         * @example "6f1c"
         */
        "If-None-Match"?: string;
        /**
         * @description The range applies only while the file has this tag.
         * @example "6f1c"
         */
        "If-Range"?: string;
        /**
         * @description One range of bytes; several, or another unit, are as if the header were not there.
         * @example bytes=0-1048575
         */
        Range?: string;
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description Id of the chat that the file stands in.
         * @example -1002000000001
         */
        chatId: string;
        /**
         * @description File extension.
         * @example jpg
         */
        ext: string;
        /**
         * @description Id of the message; of a profile photo that of the photo.
         * @example 101
         */
        messageId: string;
        /**
         * @description Id of the session that has access to the file.
         * @example 6b01aa5342b4f53c9f4c7e33
         */
        platformId: string;
        /**
         * @description What makes the link unguessable and unalterable.
         * @example aTUb_LcflPGV6HtpS_dybURhJX6Y
         */
        signature: string;
        /**
         * @description `photo`: the largest size, up to 2560 pixels; `thumb`: the thumbnail; `file`: a film, sticker or document; `profile`: a small profile photo.
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
           * @description Ranges are served.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may keep it for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Whether a browser shows it in place, and its file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description A browser runs nothing of the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description And guesses no type.
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
      /** @description The bytes that were asked for, cut to the end of the file. */
      206: {
        headers: {
          /**
           * @description Ranges are served.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may keep it for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Whether a browser shows it in place, and its file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description Which bytes of how many; where none are in the file, of how many alone.
           * @example bytes 0-1048575/5242880
           */
          "Content-Range"?: string;
          /**
           * @description A browser runs nothing of the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description And guesses no type.
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
      /** @description The file is that of `If-None-Match`. */
      304: {
        headers: {
          /**
           * @description Ranges are served.
           * @example bytes
           */
          "Accept-Ranges"?: "bytes";
          /**
           * @description Browsers may keep it for a day.
           * @example public, max-age=86400
           */
          "Cache-Control"?: string;
          /**
           * @description Whether a browser shows it in place, and its file name.
           * @example inline
           */
          "Content-Disposition"?: string;
          /**
           * @description A browser runs nothing of the file.
           * @example default-src 'none'; sandbox
           */
          "Content-Security-Policy"?: string;
          /**
           * @description Changes with the bytes of the file.
           * @example "6f1c"
           */
          ETag?: string;
          /**
           * @description And guesses no type.
           * @example nosniff
           */
          "X-Content-Type-Options"?: "nosniff";
          "x-request-id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description * `platformId must be a database id`: The link was altered. */
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
      /** @description * `media not found`: The link was altered, or its message was deleted. */
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
      /** @description * `range not satisfiable`: The range begins past the end of the file. */
      416: {
        headers: {
          "Cache-Control": components["headers"]["NoStore"];
          /**
           * @description Which bytes of how many; where none are in the file, of how many alone.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
       * @description * `telegram asked to wait 12s` (platform-wait): The platform limits the account's requests for media. `Retry-After` says how long.
       *     * `telegram did not answer the media request in time` (platform-silent): The platform did not answer within 30 seconds.
       *     * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait.
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
         * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is no such text.
       *     * `idempotency-key must stand only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `invalid phone, username, user, group or channel`: None of the five is there.
       *     * `invalid receiver`: `phone` has fewer than 8 digits after tidying.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner hides from lookups of numbers.
       *     * `invalid chat`: The id or username has another form.
       *     * `chat not found`: Nobody has the username, or the account does not know the id yet.
       *     * `group not found`: It is no group, or one that the account has not joined. For the old id of an upgraded group the sentence goes on with `, it was upgraded to <new id>`.
       *     * `channel not found`: It is no channel, or one that the account has not joined.
       *     * `type must be one of the following values: text, image, video`: `type` is none of those that the endpoint takes.
       *     * `contact.phone must be a number in international format`: The contact's number has not 5 to 15 digits.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done. */
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
       * @description * `too many idempotency keys`: 10,000 keys were used within 24 hours. Requests without one go on.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept it within 4 minutes.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `error parser file from url 404 Not Found` (file-not-usable): A file could not be downloaded from its URL, or is no such file.
       *     * `error compress image: unsupported image format, found application/pdf` (file-not-usable): The picture could not be processed. JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP are read.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
  telegramGetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NotesForm"];
      };
    };
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is no such text.
       *     * `idempotency-key must stand only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `sessions can be created from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
       *     * `session quota reached`: The tenant has as many sessions as it may.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done. */
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
       * @description * `too many idempotency keys`: 10,000 keys were used within 24 hours. Requests without one go on.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `invalid password`: The two-step password is wrong.
       *     * `password is not required`: The session does not wait for a password.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
       *     * `A wait of 1800 seconds is required` (platform-wait): Five passwords within an hour were wrong.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookForm"];
      };
    };
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `url and token must be both filled, or both empty to turn the webhook off`: Only one of the two is there.
       *     * `url must be an http or https url`: `url` is no such URL.
       *     * `token must be printable ascii without spaces around it`: `token` could not stand in a header as it is.
       *     * `url must not lead to an address that is never called`: The receiver's address is a metadata, link-local or reserved one, or one of our own servers.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is no such text.
       *     * `idempotency-key must stand only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `type must be one of the following values: text, image, video`: `type` is none of those that the endpoint takes.
       *     * `text should not be empty`: Nothing can be seen in `text`.
       *     * `text has characters that cannot be drawn: 𒀀 (U+12000)`: A text story has characters that no font of ours has a shape for. It names them.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done. */
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
       * @description * `too many idempotency keys`: 10,000 keys were used within 24 hours. Requests without one go on.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept it within 4 minutes.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): A file could not be downloaded from its URL, or is no such file.
       *     * `error compress image: unsupported image format, found application/pdf` (file-not-usable): The picture could not be processed. JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP are read.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `invalid phone, username, user or group`: None of the four is there.
       *     * `invalid receiver`: `phone` has fewer than 8 digits after tidying.
       *     * `phone is not on telegram or hidden by its privacy settings`: The number has no account, or its owner hides from lookups of numbers.
       *     * `invalid chat`: The id or username has another form.
       *     * `chat not found`: Nobody has the username, or the account does not know the id yet.
       *     * `group not found`: It is no group, or one that the account has not joined. For the old id of an upgraded group the sentence goes on with `, it was upgraded to <new id>`.
       *     * `type must be one of the following values: text, image, video`: `type` is none of those that the endpoint takes.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)` (platform-refused): The platform refused, and what it said is passed on as it is.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `channels could not be listed` (platform-refused): The platform refused, and did not say why.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description A channel id of at most 256 bytes; on Telegram the username of a public channel too.
         * @example 120363144038483540@newsletter
         */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `channel not found` (not-found): The account sees no such channel.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description Only messages before the one with this id; absent or 0: from the newest on.
         * @example 0
         */
        before?: number;
        /**
         * @description A channel id of at most 256 bytes; on Telegram the username of a public channel too.
         * @example 120363144038483540@newsletter
         */
        channelId: string;
        /**
         * @description Messages of one page, 1 to 100.
         * @example 50
         */
        limit?: number;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `channel not found` (not-found): The account sees no such channel.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path: {
        /**
         * @description A group id that ends in `@g.us`.
         * @example 120363025246125486@g.us
         */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `path is not properly encoded`: A `%` in the path begins no character.
       *     * `groupId must be a group id that ends in @g.us`: `groupId` has another form.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `group not found` (not-found): The account is not in such a group.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A group id that ends in `@g.us`.
         * @example 120363025246125486@g.us
         */
        groupId: string;
      };
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `groupId must be a group id that ends in @g.us`: `groupId` has another form.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `group not found` (not-found): The account is not in such a group.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is no such text.
       *     * `idempotency-key must stand only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `invalid phone, group or newsletter`: None of the three is there, or the one that counts cannot be a recipient.
       *     * `type must be one of the following values: text, image, video`: `type` is none of those that the endpoint takes.
       *     * `contact.phone must be a number in international format`: The contact's number has not 5 to 15 digits.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done. */
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
       * @description * `too many idempotency keys`: 10,000 keys were used within 24 hours. Requests without one go on.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept it within 4 minutes.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): A file could not be downloaded from its URL, or is no such file.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
  whatsappGetSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is no such text.
       *     * `idempotency-key must stand only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `invalid phone`: `phone` has not 8 to 15 digits after tidying, or still begins with 0.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
       * @description * `the role of this api key does not allow that`: The key is right, and its role never may do that.
       *     * `sessions can be created from this machine only, until an api key is configured`: No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.
       *     * `session quota reached`: The tenant has as many sessions as it may.
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done. */
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
       * @description * `too many idempotency keys`: 10,000 keys were used within 24 hours. Requests without one go on.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
      /** @description * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`. */
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `credential: it answers another challenge`: The credential is no answer to the challenge; why is in the sentence. Nothing was sent, and the challenge stays open.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
      /** @description * `no passkey is asked for`: No challenge is open, or it was answered already. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `no code is to be confirmed`: No code waits to be confirmed. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
         * @example order-4711
         */
        "x-request-id"?: components["parameters"]["RequestId"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
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
      /** @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII. */
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.
         * @example order-4711-confirmed
         */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /**
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `idempotency-key must be 1 to 255 printable ascii characters`: `Idempotency-Key` is no such text.
       *     * `idempotency-key must stand only once`: `Idempotency-Key` was sent twice.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `type must be one of the following values: text, image, video`: `type` is none of those that the endpoint takes.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `idempotency key was used for another request`: The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done. */
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
       * @description * `too many idempotency keys`: 10,000 keys were used within 24 hours. Requests without one go on.
       *     * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `send timeout after 240s` (send-timeout): The platform did not accept it within 4 minutes.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `error parser file from url 404 Not Found` (file-not-usable): A file could not be downloaded from its URL, or is no such file.
       *     * `contacts not synced, reconnect the session or set status privacy to "only share with"` (no-status-audience): The account's privacy setting needs its address book, which has not come yet.
       *     * `status privacy "only share with" has no contacts` (no-status-audience): The list of the account's privacy setting is empty.
       *     * `403: the account may not do this here` (platform-refused): The platform refused. Its code comes first, then its own word where it has one, then what that means.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components["parameters"]["TraceParent"];
        /**
         * @description A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.
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
      /** @description Done. */
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
       * @description * `invalid header`: A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.
       *     * `content-type must be application/json`: A body came that is not declared as JSON.
       *     * `content-encoding must be identity`: The body is packed, as by gzip.
       *     * `body must not be nested deeper than 32 levels`: Brackets are nested deeper.
       *     * `body must be valid JSON`: The body is no JSON, or not in UTF-8.
       *     * `invalid phone or group`: None of the two is there, or the one that counts cannot be a recipient.
       *     * `type must be one of the following values: text, image, video`: `type` is none of those that the endpoint takes.
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
      /** @description * `invalid api key`: The header `x-api-key` is missing where it must be there, or nobody has that key. */
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
      /** @description * `the role of this api key does not allow that`: The key is right, and its role never may do that. */
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
      /** @description * `session not found`: The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted. */
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
      /** @description * `request body did not come in time`: The body did not come while its place was needed. */
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
       * @description * `request body is too large`: The body has more than 64 KiB.
       *     * `request entity too large`: What the body says is more than a shard takes at once.
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
      /** @description * `too many requests`: A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait. */
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
       * @description * `session not found` (session-not-ready): The session is stored and not active yet, as after a restart. Ask again in a few seconds.
       *     * `session not connected` (session-not-connected): The session exists and is not connected now, or the platform did not answer in time.
       *     * `internal server error` (internal): A failure on our side. Its cause stands in the logs under the answer's `x-request-id`.
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
      /** @description * `server busy` (busy): A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait. */
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
         * @description The delivery's trace, with a span of this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event, the same in every repeat.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Seconds since 1970, of this attempt. Refuse what is older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description 32 hex digits of the delivery, the same in every repeat; of an event that was replayed, and of a test event, the `x-request-id` of the request that asked for it.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description The token of the webhook's settings. Compare it in constant time, or check the signature.
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
      /** @description The event is taken: it does not come again. The status line must come within 10 seconds. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event comes again after 1, 2, 5, 15, 30, 60, 120 s, doubling to 15 minutes, 100 times or for 24 hours; then it is a dead letter. `Retry-After` is kept to, an hour at most. Redirects are not followed. */
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
         * @description The delivery's trace, with a span of this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event, the same in every repeat.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Seconds since 1970, of this attempt. Refuse what is older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description 32 hex digits of the delivery, the same in every repeat; of an event that was replayed, and of a test event, the `x-request-id` of the request that asked for it.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description The token of the webhook's settings. Compare it in constant time, or check the signature.
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
      /** @description The event is taken: it does not come again. The status line must come within 10 seconds. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event comes again after 1, 2, 5, 15, 30, 60, 120 s, doubling to 15 minutes, 100 times or for 24 hours; then it is a dead letter. `Retry-After` is kept to, an hour at most. Redirects are not followed. */
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
         * @description The delivery's trace, with a span of this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event, the same in every repeat.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Seconds since 1970, of this attempt. Refuse what is older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description 32 hex digits of the delivery, the same in every repeat; of an event that was replayed, and of a test event, the `x-request-id` of the request that asked for it.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description The token of the webhook's settings. Compare it in constant time, or check the signature.
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
      /** @description The event is taken: it does not come again. The status line must come within 10 seconds. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event comes again after 1, 2, 5, 15, 30, 60, 120 s, doubling to 15 minutes, 100 times or for 24 hours; then it is a dead letter. `Retry-After` is kept to, an hour at most. Redirects are not followed. */
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
         * @description The delivery's trace, with a span of this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event, the same in every repeat.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Seconds since 1970, of this attempt. Refuse what is older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description 32 hex digits of the delivery, the same in every repeat; of an event that was replayed, and of a test event, the `x-request-id` of the request that asked for it.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description The token of the webhook's settings. Compare it in constant time, or check the signature.
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
      /** @description The event is taken: it does not come again. The status line must come within 10 seconds. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event comes again after 1, 2, 5, 15, 30, 60, 120 s, doubling to 15 minutes, 100 times or for 24 hours; then it is a dead letter. `Retry-After` is kept to, an hour at most. Redirects are not followed. */
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
         * @description The delivery's trace, with a span of this attempt (W3C Trace Context).
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent: string;
        /**
         * @description Id of the event, the same in every repeat.
         * @example 4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf
         */
        "webhook-id": string;
        /**
         * @description `v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        "webhook-signature": string;
        /**
         * @description Seconds since 1970, of this attempt. Refuse what is older than 5 minutes.
         * @example 1795271259
         */
        "webhook-timestamp": string;
        /**
         * @description 32 hex digits of the delivery, the same in every repeat; of an event that was replayed, and of a test event, the `x-request-id` of the request that asked for it.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        "x-request-id": string;
        /**
         * @description The token of the webhook's settings. Compare it in constant time, or check the signature.
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
      /** @description The event is taken: it does not come again. The status line must come within 10 seconds. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event comes again after 1, 2, 5, 15, 30, 60, 120 s, doubling to 15 minutes, 100 times or for 24 hours; then it is a dead letter. `Retry-After` is kept to, an hour at most. Redirects are not followed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
