import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Category, SaveCategory } from '#contract/categories';
import { type Answer, api, type ListAnswer } from '../lib/api.ts';
import { remove, upsert } from '../realtime/reducer.ts';
import { toast, toastError } from '../ui/toast.ts';

const KEY = ['categories'] as const;

/** All categories, by name. */
export const categoriesQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await api.get<ListAnswer<Category>>('/categories', { query: { limit: 200 }, signal })).data,
    // They change rarely, and an event tells when they do.
    staleTime: 5 * 60_000,
  });

const byName = (a: Category, b: Category) => a.name.localeCompare(b.name, 'en');

/** Adds a category, or changes the one whose `_id` is given. */
export function useSaveCategory() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, ...body }: SaveCategory & { _id?: string | undefined }) =>
      _id === undefined
        ? api.post<Answer<Category>>('/categories', body)
        : api.put<Answer<Category>>(`/categories/${_id}`, body),
    onSuccess: ({ data }, { _id }) => {
      upsert(cache, KEY, data, { order: byName });
      toast.success(`Category ${_id === undefined ? 'created' : 'updated'} successfully!`);
    },
    onError: toastError,
  });
}

/** Deletes a category; its products stay, without one. */
export function useDeleteCategory() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.del(`/categories/${id}`),
    onSuccess: (_, id) => {
      remove(cache, KEY, id);
      toast.success('Category deleted successfully!');
    },
    onError: toastError,
  });
}
