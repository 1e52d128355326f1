import { placesApi } from '#contract/farm/places/constants';
import type { CreatePlace, Place, UpdatePlace } from '#contract/farm/places/places';
import { call } from '../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { placesQuery } from './queries.ts';

/** Adds a pickup place. */
export const useCreatePlace = () =>
  useCommand((body: CreatePlace) => call(placesApi.create, { body }), {
    refetches: placesQuery().queryKey,
    done: ({ data }) => `${data.name} was added.`,
    onError: toastErrorOfEdit,
  });

/** Changes a pickup place. */
export const useUpdatePlace = () =>
  useCommand(
    ({ place, change }: { place: Place; change: UpdatePlace }) =>
      call(placesApi.update, { params: { id: place._id }, body: change }),
    {
      refetches: placesQuery().queryKey,
      done: ({ data }) => `${data.name} was saved.`,
      onError: toastErrorOfEdit,
    },
  );

/** Removes a pickup place. */
export const useRemovePlace = () =>
  useCommand(({ _id }: Place) => call(placesApi.remove, { params: { id: _id } }), {
    refetches: placesQuery().queryKey,
    done: (_, { name }) => `${name} was removed.`,
    onError: shownByForm,
  });
