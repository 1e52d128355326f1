import { Send } from 'lucide-react';
import { type SubmitEvent, useRef } from 'react';
import { MESSAGE_MAX } from '#contract/farm/messages/constants';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { newId } from '../../platform/api/api.ts';
import { useSignIn } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { useDraftText } from '../../platform/ui/form/draft.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { isUnanswered, useSendMessage } from './queries.ts';

/**
 * A form that sends one message to one person, for pages of other features. Blank text is not sent;
 * the text is cleared when the message was sent, or when it waits in the outbox for the line, and kept on
 * a refusal. Redirects visitors to the sign-in.
 */
export function MessageComposer({
  receiverId,
  relatedOrder,
  onSent,
  onCancel,
  label = t('Your message'),
  placeholder,
  submitLabel = t('Send Message'),
}: {
  receiverId: string;
  /** The id of an order between both people that the message is about. */
  relatedOrder?: string | undefined;
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
  const send = useSendMessage(receiverId);
  // The same text sent again after a failure keeps its id, so that it is delivered once.
  const attempt = useRef<{ _id: string; content: string } | null>(null);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isAuthenticated) {
      signIn();
      return;
    }
    const content = cleanText(text);
    if (content === '' || send.isPending) return;
    if (attempt.current?.content !== content) {
      attempt.current = { _id: newId(), content };
    }
    const finish = () => {
      attempt.current = null;
      setText('');
      onSent?.();
    };
    send.mutate(
      { ...attempt.current, ...(relatedOrder === undefined ? {} : { relatedOrder }) },
      {
        onSuccess: () => {
          toast.success(t('Message sent'));
          finish();
        },
        onError: (error) => {
          // It waits in the outbox now.
          if (isUnanswered(error)) finish();
        },
      },
    );
  };

  return (
    <form onSubmit={submit} className="grid gap-3">
      {restoredNote}
      <Field label={label} hideLabel>
        <Textarea
          name="message"
          rows={3}
          maxLength={MESSAGE_MAX}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" icon={<Send />} pending={send.isPending}>
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
