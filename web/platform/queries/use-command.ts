import {
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { refetch } from '../realtime/in-flight.ts';
import { toast, toastError } from '../ui/feedback/toast.ts';

/** What follows from a command beside its call. */
type Effects<Input, Answer> = {
  /** Applies the answer to the cache; what it returns is awaited. */
  onSuccess?: (cache: QueryClient, answer: Answer, input: Input) => unknown;
  /** What a toast says once it is done. */
  done?: string | ((answer: Answer, input: Input) => string);
  /** What is fetched again once it is done; nobody waits for it. */
  refetches?: QueryKey;
  /** What is fetched again whatever came of it, while the command still counts as pending. */
  invalidates?: QueryKey;
  /** Shows a failure: in a toast by default. */
  onError?: (error: Error, cache: QueryClient) => unknown;
};

/** For a command whose failure is shown where it was given, as forms do. */
export const shownByForm = (): undefined => undefined;

/** Returns a mutation that sends a command to the API. */
export function useCommand<Answer, Input = void>(
  send: (input: Input) => Promise<Answer>,
  { onSuccess, done, refetches, invalidates, onError = toastError }: Effects<Input, Answer> = {},
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => send(input),
    onSuccess: (answer, input) => {
      const applied = onSuccess?.(cache, answer, input);
      if (refetches) refetch(cache, refetches);
      if (done) toast.success(typeof done === 'string' ? done : done(answer, input));
      return applied;
    },
    onError: (error) => onError(error, cache),
    onSettled: () => invalidates && cache.invalidateQueries({ queryKey: invalidates }),
  });
}
