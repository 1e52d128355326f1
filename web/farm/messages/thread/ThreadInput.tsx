import { Send } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useState } from 'react';
import { MESSAGE_MAX } from '#contract/farm/messages/constants';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { isRecordOf, isText } from '../../../platform/api/check.ts';
import {
  draftOfText,
  readDraft,
  saveDraft,
  textOfDraft,
} from '../../../platform/offline/drafts.ts';
import { ownedAtom } from '../../../platform/session/owned.ts';
import { store } from '../../../platform/session/session.ts';
import { pin } from '../../../platform/ui/feedback/pinned.ts';
import { Textarea } from '../../../platform/ui/fields/controls.tsx';
import { Field } from '../../../platform/ui/fields/Field.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { useNotifyTyping } from './typing.ts';

/** The message input of a thread. The draft is stored until it is sent. */
export function ThreadInput({
  me,
  receiver,
  name,
  onSend,
}: {
  me: string;
  receiver: string;
  /** The receiver's name. */
  name: string;
  onSend: (content: string) => void;
}) {
  const [text, setText] = useState(() => readMessageDraft(me, receiver));
  const typing = useNotifyTyping(receiver);

  const write = (next: string) => {
    setText(next);
    saveMessageDraft(me, receiver, next);
    if (cleanText(next) === '') typing.stopped();
    else typing.typed();
  };
  const submit = (event: SubmitEvent | KeyboardEvent) => {
    event.preventDefault();
    const content = cleanText(text);
    if (content === '') return;
    typing.stopped();
    setText('');
    saveMessageDraft(me, receiver, '');
    onSend(content);
  };

  return (
    <form ref={pin} onSubmit={submit} className="flex items-end gap-2 border-t border-hairline p-3">
      <Field label={t('Message to {name}', { name })} hideLabel className="grow">
        <Textarea
          name="message"
          rows={1}
          maxLength={MESSAGE_MAX}
          placeholder={t('Write a message')}
          enterKeyHint="send"
          autoComplete="off"
          className="max-h-40 min-h-11 resize-none"
          value={text}
          onChange={(event) => write(event.target.value)}
          onBlur={typing.stopped}
          onKeyDown={(event) => {
            // Enter also commits the composition of an input method editor.
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              submit(event);
            }
          }}
        />
      </Field>
      <Button type="submit" icon={<Send />} className="min-h-11">
        {t('Send')}
      </Button>
    </form>
  );
}

/** What an earlier release kept, by the id of the receiver. */
const earlierAtom = ownedAtom<Record<string, string> | null>(
  'message-drafts',
  isRecordOf(isText),
  null,
);

/** Returns what a person has written to `receiver` and not sent, or an empty string. */
export function readMessageDraft(owner: string, receiver: string): string {
  const earlier = earlierAtom.of(owner).readStored();
  if (earlier) {
    for (const [other, text] of Object.entries(earlier)) saveMessageDraft(owner, other, text);
    store.set(earlierAtom.of(owner), null);
  }
  return textOfDraft(readDraft(keyOf(receiver), owner));
}

/** Stores what a person has written to `receiver`; blank text removes it. */
export const saveMessageDraft = (owner: string, receiver: string, text: string): void =>
  saveDraft(keyOf(receiver), draftOfText(text), owner);

const keyOf = (receiver: string): string => `message:${receiver}`;
