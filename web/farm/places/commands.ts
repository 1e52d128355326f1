import { useMutation, useQueryClient } from '@tanstack/react-query';
import { placesApi } from '#contract/farm/places/constants';
import type { CreatePlace, Place, UpdatePlace } from '#contract/farm/places/places';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { toast, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { placesKeys } from './queries.ts';

/** Adds a pickup place. */
export function useCreatePlace() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreatePlace) => call(placesApi.create, { body }),
    onSuccess: ({ data }) => {
      refetch(cache, placesKeys.list());
      toast.success(`${data.name} was added.`);
    },
    onError: toastErrorOfEdit,
  });
}

/** Changes a pickup place. */
export function useUpdatePlace() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ place, change }: { place: Place; change: UpdatePlace }) =>
      call(placesApi.update, { params: { id: place._id }, body: change }),
    onSuccess: ({ data }) => {
      refetch(cache, placesKeys.list());
      toast.success(`${data.name} was saved.`);
    },
    onError: toastErrorOfEdit,
  });
}

/** Removes a pickup place. A refusal is shown where it was asked for. */
export function useRemovePlace() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (place: Place) => call(placesApi.remove, { params: { id: place._id } }),
    onSuccess: (_, { name }) => {
      refetch(cache, placesKeys.list());
      toast.success(`${name} was removed.`);
    },
  });
}
