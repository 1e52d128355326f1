import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Category, SaveCategory } from '#contract/catalogue/categories/categories';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { call } from '../../platform/api/api.ts';
import { remove, upsert } from '../../platform/realtime/reducer.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { categoriesKeys } from './queries.ts';

const byName = (a: Category, b: Category) => a.name.localeCompare(b.name, 'en');

/** Creates a category, or updates the one whose `_id` is given. */
export function useSaveCategory() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, ...body }: SaveCategory & { _id?: string | undefined }) =>
      _id === undefined
        ? call(categoriesApi.create, { body })
        : call(categoriesApi.update, { params: { id: _id }, body }),
    onSuccess: ({ data }, { _id }) => {
      upsert(cache, categoriesKeys.list(), data, { order: byName });
      toast.success(`Category ${_id === undefined ? 'created' : 'updated'} successfully!`);
    },
    onError: toastError,
  });
}

/** Deletes a category; its products have no category then. */
export function useDeleteCategory() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(categoriesApi.remove, { params: { id } }),
    onSuccess: (_, id) => {
      remove(cache, categoriesKeys.list(), id);
      toast.success('Category deleted successfully!');
    },
    onError: toastError,
  });
}
