import { useAuth } from '../auth/use-auth.ts';

/** Where messages live for whoever is signed in: the guard keeps admins to a place of their own. */
export function useMessagesPath(): string {
  return useAuth().user?.role === 'admin' ? '/admin/messages' : '/messages';
}
