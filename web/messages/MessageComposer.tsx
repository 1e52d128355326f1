import { Send } from 'lucide-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAuth } from '../auth/use-auth.ts';
import { newId } from '../lib/new-id.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { toast } from '../ui/toast.ts';
import { MESSAGE_LENGTH } from './limits.ts';
import { useSendMessage } from './queries.ts';

/**
 * A form that writes one message to one person, to be put on another feature's page. Blank text is
 * not sent; the box is emptied once the message has arrived, and keeps its text when it has not.
 * Who is not signed in is led to the sign-in.
 */
export function MessageComposer({
  receiverId,
  relatedOrder,
  onSent,
  onCancel,
  label = 'Your message',
  placeholder,
  submitLabel = 'Send Message',
}: {
  receiverId: string;
  /** The id of an order of both, which the message is about. */
  relatedOrder?: string | undefined;
  /** Called once the message has arrived. */
  onSent?: (() => void) | undefined;
  /** Shows a Cancel button beside the other. */
  onCancel?: (() => void) | undefined;
  label?: string;
  placeholder?: string;
  submitLabel?: string;
}) {
  const { isAuthenticated } = useAuth();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const send = useSendMessage(receiverId);
  // The same words sent again after a failure are the same message, and arrive once.
  const attempt = useRef<{ _id: string; content: string } | null>(null);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isAuthenticated) {
      navigate('/login');
      return;
    }
    const content = text.trim();
    if (content === '' || send.isPending) return;
    if (attempt.current?.content !== content) {
      attempt.current = { _id: newId(), content };
    }
    send.mutate(
      { ...attempt.current, ...(relatedOrder === undefined ? {} : { relatedOrder }) },
      {
        onSuccess: () => {
          attempt.current = null;
          setText('');
          toast.success('Message sent');
          onSent?.();
        },
      },
    );
  };

  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label={label} hideLabel>
        <Textarea
          name="message"
          rows={3}
          maxLength={MESSAGE_LENGTH}
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
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
