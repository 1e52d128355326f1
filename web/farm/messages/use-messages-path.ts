import { useAuth } from '../../platform/session/session.ts';

/** Returns the path of the messages page, which differs for admins. */
export function useMessagesPath(): string {
  return useAuth().user?.role === 'admin' ? '/admin/messages' : '/messages';
}
