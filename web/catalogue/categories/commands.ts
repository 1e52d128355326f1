import type { Category, SaveCategory } from '#contract/catalogue/categories/categories';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { remove, upsert } from '../../platform/realtime/reducer.ts';
import { categoriesKeys } from './queries.ts';

const byName = (a: Category, b: Category) => a.name.localeCompare(b.name, 'en');

/** Creates a category, or updates the one whose `_id` is given. */
export const useSaveCategory = () =>
  useCommand(
    ({ _id, ...body }: SaveCategory & { _id?: string | undefined }) =>
      _id === undefined
        ? call(categoriesApi.create, { body })
        : call(categoriesApi.update, { params: { id: _id }, body }),
    {
      onSuccess: (cache, { data }) => upsert(cache, categoriesKeys.list(), data, { order: byName }),
      done: (_, { _id }) => `Category ${_id === undefined ? 'created' : 'updated'} successfully!`,
    },
  );

/** Deletes a category; its products have no category then. */
export const useDeleteCategory = () =>
  useCommand((id: string) => call(categoriesApi.remove, { params: { id } }), {
    onSuccess: (cache, _, id) => remove(cache, categoriesKeys.list(), id),
    done: 'Category deleted successfully!',
  });
