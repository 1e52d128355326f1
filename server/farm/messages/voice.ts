import { room } from '#contract/platform/events/constants';
import type { EventRoom } from '#contract/platform/events/event';
import type { Role } from '#contract/platform/http/http';
import { canActFor } from '#contract/platform/session/constants';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

/** Who takes part in a conversation: a person, or a farm, for which any of its people may write. */
export interface Voice {
  /** The person's id, or the farm's. */
  id: string;
  role: Role;
  /** The person behind it. */
  authorId: string;
  author: Pick<SessionUser, 'id' | 'membership'>;
  name: string;
}

/** Returns as whom somebody writes and reads: those who may write for a farm do so as the farm. */
export function voiceOf(user: SessionUser): Voice {
  const { id, role, name, membership } = user;
  const isFarm = membership !== null && canActFor(user, membership.farmId, 'writeMessages');
  return {
    id: isFarm ? membership.farmId : id,
    role,
    authorId: id,
    author: { id, membership },
    name,
  };
}

/** The room of a party to a conversation. Of farmers only farms take part, never their members: it is that of those who may write for it. */
export const voiceRoom = ({
  id,
  role,
}: {
  id: string;
  role: Role;
}): EventRoom<'message.created'> => (role === 'farmer' ? room.farmMessages(id) : room.user(id));
