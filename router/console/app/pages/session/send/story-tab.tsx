import { useState } from "preact/hooks";
import { storyPrivacies, type StatusOutput, type StoryPrivacy } from "../../../../../../shared/contract/telegram/status.js";
import { sessionCall } from "../../../api/session-call.js";
import { Choice } from "../../../ui/field.js";
import { useFaultFocus } from "../../../ui/use-fault-focus.js";
import type { TabProps } from "../tab-props.js";
import { contentNames, messageForms, storyTypes } from "./content-forms.js";
import { Fields } from "./fields.js";
import { StoryPreview } from "./preview.js";
import { SendFoot } from "./send-foot.js";
import { useContent } from "./use-content.js";

const types = storyTypes.map((value) => ({ value, label: contentNames[value] }));
const audiences: Readonly<Record<StoryPrivacy, string>> = { everyone: "Everyone", contacts: "Contacts", close_friends: "Close friends" };

/** POST /status. */
export function StoryTab({ session }: TabProps) {
  const onTelegram = session.platform === "telegram";
  const noun = onTelegram ? "story" : "status";
  const [privacy, setPrivacy] = useState<StoryPrivacy>("contacts");
  const content = useContent(
    (type) => messageForms[type].filter(({ name }) => !(onTelegram && name === "image.thumbnail")),
    async (written, key, signal) => {
      const body = { ...(onTelegram ? { privacy } : {}), ...written };
      return await sessionCall<StatusOutput>(session, "POST /status", { body, headers: { "idempotency-key": key }, signal });
    },
  );
  const { action, faults } = content;
  const form = useFaultFocus(action.failure);
  const choosePrivacy = (chosen: StoryPrivacy): void => {
    setPrivacy(chosen);
    content.change();
  };
  return (
    <div class="columns">
      <form
        ref={form}
        class="card"
        aria-label={`Post ${noun}`}
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <Choice label="Type" value={content.type} options={types} onChange={content.chooseType} />
        <Fields fields={content.fields} values={content.values} onInput={content.input} faults={faults} />
        {onTelegram ? (
          <Choice
            label="Audience"
            value={privacy}
            options={storyPrivacies.map((value) => ({ value, label: audiences[value] }))}
            onChange={choosePrivacy}
          />
        ) : (
          <p class="hint">The audience is set on the phone under Status privacy.</p>
        )}
        <SendFoot
          content={content}
          verb={`Post ${noun}`}
          doing="Posting…"
          done={onTelegram ? "Story posted" : "Status posted"}
          idOf={({ statusId }) => statusId}
        />
      </form>
      <section class="card" aria-labelledby="story-title">
        <h2 id="story-title">Preview</h2>
        <StoryPreview type={content.type} values={content.values} />
      </section>
    </div>
  );
}
