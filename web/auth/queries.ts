import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ForgotPassword, Login, Me, Register, ResetPassword, Session } from '#contract/auth';
import type { UpdateProfile, User } from '#contract/users';
import { type Answer, api } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { readToken } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { toast, toastError } from '../ui/toast.ts';
import { userAtom } from './atoms.ts';
import { endSession, meKey, startSession } from './session.ts';

/** Asks the server who the stored token belongs to. Throws `ApiError`, also when there is no token. */
export async function fetchMe(signal?: AbortSignal): Promise<User> {
  if (readToken() === null) {
    throw new ApiError('No token found', { status: 401, code: 'NO_TOKEN' });
  }
  const answer = await api.get<Me>('/auth/me', { signal });
  return answer.user;
}

/** The signed-in user of a token; asks nothing without one. */
export const meQuery = (token: string | null) =>
  queryOptions({
    queryKey: meKey(token),
    queryFn: ({ signal }) => fetchMe(signal),
    enabled: token !== null,
    staleTime: 5 * 60_000,
  });

/** Signs in. The page's guard then leads on to where the role belongs. */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Login) => api.post<Session>('/auth/login', input, { anonymous: true }),
    onSuccess: ({ token, user }) => {
      startSession(client, token, user);
      toast.success('Login successful!');
    },
    onError: toastError,
  });
}

/** Opens an account and signs in with it. */
export function useRegister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Register) =>
      api.post<Session>('/auth/register', input, { anonymous: true }),
    onSuccess: ({ token, user }) => {
      startSession(client, token, user);
      toast.success('Registration successful!');
    },
    onError: toastError,
  });
}

/** Signs out: a function that forgets token and user, says so, and goes home. */
export function useLogout(): () => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return () => {
    // First away from the page, whose guard would otherwise lead to the sign-in.
    navigate('/');
    endSession(client);
    toast.success('Logged out successfully!');
  };
}

/** Changes one's own name, phone and address. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateProfile) => api.put<Answer<User>>('/users/profile', input),
    onSuccess: ({ data: user }) => {
      store.set(userAtom, user);
      client.setQueryData(meKey(readToken()), user);
      toast.success('Profile updated successfully!');
    },
    onError: toastError,
  });
}

/** Asks for a link to set a new password. The answer is the same whether the address is known. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (input: ForgotPassword) =>
      api.post<{ success: true }>('/auth/forgot-password', input, { anonymous: true }),
  });
}

/** Sets a new password with the token of an emailed link. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (input: ResetPassword) =>
      api.post<{ success: true }>('/auth/reset-password', input, { anonymous: true }),
  });
}
