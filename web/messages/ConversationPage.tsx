import { useParams } from 'wouter';
import { MessagesFrame } from './MessagesFrame.tsx';
import { Thread } from './Thread.tsx';

/** The page of one conversation. */
export default function ConversationPage() {
  const { userId = '' } = useParams<{ userId: string }>();
  return (
    <MessagesFrame openWith={userId}>
      <Thread key={userId} userId={userId} />
    </MessagesFrame>
  );
}
