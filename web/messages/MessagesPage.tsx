import { Drawing } from '../ui/Drawing.tsx';
import { MessagesFrame } from './MessagesFrame.tsx';

/** All conversations. */
export default function MessagesPage() {
  return (
    <MessagesFrame>
      <div className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
        <Drawing name="letter" />
        <p className="text-ink-soft">Choose a conversation to read it here.</p>
      </div>
    </MessagesFrame>
  );
}
