import { Send } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { keepDraft, readDraft } from './drafts.ts';
import { MESSAGE_LENGTH } from './limits.ts';
import { useTellTyping } from './typing.ts';

/** Where one writes at the foot of a thread. What was begun is kept until it is sent. */
export function ThreadInput({
  me,
  receiver,
  name,
  onSend,
}: {
  me: string;
  receiver: string;
  /** The receiver's. */
  name: string;
  onSend: (content: string) => void;
}) {
  const [text, setText] = useState(() => readDraft(me, receiver));
  const typing = useTellTyping(receiver);

  const write = (next: string) => {
    setText(next);
    keepDraft(me, receiver, next);
    if (next.trim() === '') typing.stopped();
    else typing.typed();
  };
  const submit = (event: SubmitEvent | KeyboardEvent) => {
    event.preventDefault();
    const content = text.trim();
    if (content === '') return;
    typing.stopped();
    setText('');
    keepDraft(me, receiver, '');
    onSend(content);
  };

  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-t border-hairline p-3">
      <Field label={`Message to ${name}`} hideLabel className="grow">
        <Textarea
          name="message"
          rows={1}
          maxLength={MESSAGE_LENGTH}
          placeholder="Write a message"
          enterKeyHint="send"
          autoComplete="off"
          className="max-h-40 min-h-11 resize-none"
          value={text}
          onChange={(event) => write(event.target.value)}
          onBlur={typing.stopped}
          onKeyDown={(event) => {
            // Enter also ends a word being composed, in Japanese for example.
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              submit(event);
            }
          }}
        />
      </Field>
      <Button type="submit" icon={<Send />} className="min-h-11">
        Send
      </Button>
    </form>
  );
}
