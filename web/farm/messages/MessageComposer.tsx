import { Send } from 'lucide-react';
import { type SubmitEvent, useEffect, useEffectEvent, useRef } from 'react';
import { MESSAGE_MAX } from '#contract/farm/messages/constants';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { useSignIn } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { useDraftText } from '../../platform/ui/form/draft.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useSendText } from './queries.ts';

/**
 * A form that sends one message to one person, for pages of other features. Blank text is not sent;
 * the text is cleared when the message was sent, or when it waits in the outbox for the line, and kept on
 * a refusal. Redirects visitors to the sign-in.
 */
export function MessageComposer({
  receiverId,
  relatedOrder,
  prepared,
  onSent,
  onCancel,
  label = t('Your message'),
  placeholder,
  submitLabel = t('Send Message'),
}: {
  receiverId: string;
  /** The id of an order between both people that the message is about. */
  relatedOrder?: string | undefined;
  /** Words that are put into the field, which takes the focus, each time another object is given. */
  prepared?: { text: string } | undefined;
  /** Called when the message was sent. */
  onSent?: (() => void) | undefined;
  /** Called by the Cancel button, which is shown only with this callback. */
  onCancel?: (() => void) | undefined;
  label?: string;
  placeholder?: string;
  submitLabel?: string;
}) {
  const { isAuthenticated } = useAuth();
  const signIn = useSignIn();
  const [text, setText, restoredNote] = useDraftText(`compose:${receiverId}:${relatedOrder ?? ''}`);
  const [send, isPending] = useSendText(receiverId, relatedOrder);
  const field = useRef<HTMLTextAreaElement>(null);
  const takePrepared = useEffectEvent((words: string) => {
    if (!text.includes(words)) setText([text.trim(), words].filter(Boolean).join('\n'));
    field.current?.focus();
  });
  useEffect(() => {
    if (prepared) takePrepared(prepared.text);
  }, [prepared]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isAuthenticated) {
      signIn();
      return;
    }
    const content = cleanText(text);
    if (content === '') return;
    send(content, () => {
      setText('');
      onSent?.();
    });
  };

  return (
    <form onSubmit={submit} className="grid gap-3">
      {restoredNote}
      <Field label={label} hideLabel>
        <Textarea
          ref={field}
          name="message"
          rows={3}
          maxLength={MESSAGE_MAX}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" icon={<Send />} pending={isPending}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button
            variant="secondary"
            onClick={() => {
              setText('');
              onCancel();
            }}
          >
            {t('Cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
