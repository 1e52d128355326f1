// @vitest-environment happy-dom
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';
import { useCurrent } from './use-current.ts';

type Answer = { resolve: (answer: string) => void; reject: (error: Error) => void };

const queryKey = ['products', 'detail', '1'];

const useBoth = (queryFn: () => Promise<string>) => ({
  edited: useCurrent({ queryKey, queryFn, retry: false }),
  shown: useQuery({ queryKey, enabled: false }).data,
});

function openEditor() {
  const cache = createQueryClient();
  const answers: Answer[] = [];
  const fetching = () =>
    new Promise<string>((resolve, reject) => {
      answers.push({ resolve, reject });
    });
  const render = () =>
    renderHook(useBoth, {
      initialProps: fetching,
      wrapper: ({ children }) => (
        <QueryClientProvider client={cache}>{children}</QueryClientProvider>
      ),
    });
  const settle = (settled: (answer: Answer | undefined) => void) =>
    act(async () => settled(answers.at(-1)));
  return { cache, render, settle, answers };
}

it('edits what the server answers, not what another page read', async () => {
  const { cache, render, settle } = openEditor();
  cache.setQueryData(queryKey, 'of another page');
  const { result } = render();
  expect(result.current.edited.data).toBeUndefined();
  await settle((answer) => answer?.resolve('of the server'));
  await waitFor(() => expect(result.current.edited.data).toBe('of the server'));
});

it('does not take for an answer what an earlier visit kept and is read meanwhile', async () => {
  const { cache, render, settle } = openEditor();
  const { result } = render();
  act(() => void cache.setQueryData(queryKey, 'of an earlier visit'));
  await waitFor(() => expect(result.current.shown).toBe('of an earlier visit'));
  expect(result.current.edited.data).toBeUndefined();
  await settle((answer) => answer?.resolve('of the server'));
  await waitFor(() => expect(result.current.edited.data).toBe('of the server'));
});

it('says why there is no answer, though an earlier visit kept one', async () => {
  const { cache, render, settle } = openEditor();
  const { result } = render();
  act(() => void cache.setQueryData(queryKey, 'of an earlier visit'));
  await settle((answer) => answer?.reject(new Error('No.')));
  await waitFor(() => expect(result.current.edited.error?.message).toBe('No.'));
  expect(result.current.edited.data).toBeUndefined();
});

it('stays live from the answer on, while it is fetched again too', async () => {
  const { cache, render, settle, answers } = openEditor();
  const { result } = render();
  await settle((answer) => answer?.resolve('of the server'));
  await waitFor(() => expect(result.current.edited.data).toBe('of the server'));
  act(() => void cache.setQueryData(queryKey, 'of an event'));
  await waitFor(() => expect(result.current.edited.data).toBe('of an event'));
  act(() => void result.current.edited.refetch());
  await waitFor(() => expect(answers).toHaveLength(2));
  await waitFor(() => expect(result.current.edited.isFetching).toBe(true));
  expect(result.current.edited.data).toBe('of an event');
});
