import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { adminApi } from '#contract/constants/admin';
import { productsApi } from '#contract/constants/products';
import type { SetProductHiding } from '#contract/products';
import { call } from '../lib/api.ts';
import { paging } from '../lib/pages.ts';
import { toast } from '../ui/toast.ts';
import { type AuditFilters, adminKeys } from './keys.ts';

const NOTES_PAGE_SIZE = 100;
const MESSAGES_PAGE_SIZE = 50;
const PAGE_SIZE = 24;
const AUDIT_PAGE_SIZE = 50;
/** Messages between two other people are not pushed to admins, so an open conversation asks again. */
const CONVERSATION_REFRESH_MS = 20_000;

/** The internal notes about an order, oldest first. */
export const notesQuery = (orderId: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.notes(orderId),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.notes, {
        params: { id: orderId },
        query: { limit: NOTES_PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** The messages between the parties of an order: the newest page first, then older ones. */
export const conversationQuery = (orderId: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.conversation(orderId),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.orderMessages, {
        params: { id: orderId },
        query: { limit: MESSAGES_PAGE_SIZE, before: pageParam },
        signal,
      }),
    ...paging,
    refetchInterval: CONVERSATION_REFRESH_MS,
  });

/** A person with their farm and figures. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.personFigures(id),
    queryFn: async ({ signal }) => (await call(adminApi.person, { params: { id }, signal })).data,
  });

/** The orders that a person placed or received, newest first. */
export const personOrdersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.personOrders(id),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.personOrders, {
        params: { id },
        query: { limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** The products of a farmer, inactive and hidden ones too, newest first. */
export const personProductsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.personProducts(id),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.personProducts, {
        params: { id },
        query: { limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** What admins did. */
export const auditQuery = (filters: AuditFilters = {}) =>
  infiniteQueryOptions({
    queryKey: adminKeys.audit(filters),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.audit, {
        query: { ...filters, limit: AUDIT_PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** Writes an internal note. The id is the caller's, so that a retry is the same note. */
export function useAddNote(orderId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { _id: string; content: string }) =>
      call(adminApi.addNote, { params: { id: orderId }, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: adminKeys.notes(orderId) }),
  });
}

/** Hides a product, or shows it again. */
export function useSetProductHiding(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<SetProductHiding> & Pick<SetProductHiding, 'hidden'>) =>
      call(productsApi.setHiding, { params: { id }, body }),
    onSuccess: async (_, { hidden }) => {
      toast.success(hidden ? "Product hidden. We've told the farmer." : 'Product shown again.');
      await Promise.all([
        cache.invalidateQueries({ queryKey: ['products'] }),
        cache.invalidateQueries({ queryKey: adminKeys.people() }),
      ]);
    },
  });
}
