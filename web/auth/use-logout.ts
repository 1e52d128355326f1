import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { toast } from '../ui/toast.ts';
import { endSession } from './session.ts';

/** Returns a function that signs out and navigates to the home page. */
export function useLogout(): () => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return () => {
    // Navigates first, because the guard of the current page would redirect to the sign-in.
    navigate('/');
    endSession(client);
    toast.success('Logged out successfully!');
  };
}
