import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { phoneApi } from '#contract/people/phone/constants';
import type { ChangePhone, ConfirmPhone, Phone } from '#contract/people/phone/phone';
import { call, dataOf } from '../../platform/api/api.ts';
import { notificationsKeys } from './events.ts';

/** The signed-in user's phone, and whether text messages reach it. */
export const phoneQuery = () =>
  queryOptions({ queryKey: notificationsKeys.phone(), queryFn: dataOf(phoneApi.read) });

/** Makes a number the user's phone, and has a code texted to it. The form shows what is refused. */
export function useChangePhone() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePhone) => call(phoneApi.change, { body }),
    onSuccess: ({ data }) => showPhone(cache, data),
  });
}

/** Verifies the user's phone by the code. The form shows what is refused. */
export function useConfirmPhone() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: ConfirmPhone) => call(phoneApi.confirm, { body }),
    onSuccess: ({ data }) => showPhone(cache, data),
  });
}

const showPhone = (cache: QueryClient, phone: Phone): void => {
  cache.setQueryData<Phone>(notificationsKeys.phone(), phone);
};
