import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  CreateAddress,
  UpdateAddress,
  UserAddress,
} from '#contract/people/addresses/addresses';
import { addressesApi } from '#contract/people/addresses/constants';
import { call } from '../../platform/api/api.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { addressesKeys } from './keys.ts';

// Each has an event about the profile, whose address is the preferred one.
const refetchAddresses = (cache: QueryClient) =>
  cache.invalidateQueries({ queryKey: addressesKeys.all });

/** Keeps another address. */
export function useCreateAddress() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateAddress) => call(addressesApi.create, { body }),
    onSuccess: () => toast.success('Address saved.'),
    onError: toastError,
    onSettled: () => refetchAddresses(cache),
  });
}

/** Changes an address, or prefers it. */
export function useUpdateAddress() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, ...body }: Pick<UserAddress, '_id'> & UpdateAddress) =>
      call(addressesApi.update, { params: { id: _id }, body }),
    onSuccess: () => toast.success('Address saved.'),
    onError: toastError,
    onSettled: () => refetchAddresses(cache),
  });
}

/** Removes an address. */
export function useRemoveAddress() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(addressesApi.remove, { params: { id } }),
    onSuccess: () => toast.success('Address removed.'),
    onError: toastError,
    onSettled: () => refetchAddresses(cache),
  });
}
