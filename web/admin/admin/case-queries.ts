import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { adminApi } from '#contract/admin/admin/constants';
import { moderationApi, type ReportOutcome } from '#contract/admin/moderation/constants';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { SetProductHiding } from '#contract/catalogue/products/products';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import type { RemoveSecondFactor } from '#contract/people/second-factor/second-factor';
import { call } from '../../platform/api/api.ts';
import { paging, rootKeys } from '../../platform/queries/pages.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { type AuditFilters, adminKeys, type ReportFilters } from './keys.ts';

const NOTES_PAGE_SIZE = 100;
const MESSAGES_PAGE_SIZE = 50;
const PAGE_SIZE = 24;
const AUDIT_PAGE_SIZE = 50;
/** Messages between two other people are not pushed to admins, so an open conversation asks again. */
const CONVERSATION_REFRESH_MS = 20_000;

/** The internal notes about an order, oldest first. */
export const notesQuery = (orderId: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.orderNotes(orderId),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.notes, {
        params: { id: orderId },
        query: { limit: NOTES_PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** The internal notes about a person, oldest first. */
export const userNotesQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.userNotes(userId),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.userNotes, {
        params: { id: userId },
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

/** A note that is to be written. The id is the caller's, so that a retry is the same note. */
type NewNote = { _id: string; content: string };

/** Writes an internal note about an order. */
export function useAddNote(orderId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: NewNote) => call(adminApi.addNote, { params: { id: orderId }, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: adminKeys.orderNotes(orderId) }),
  });
}

/** Writes an internal note about a person. */
export function useAddUserNote(userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: NewNote) => call(adminApi.addUserNote, { params: { id: userId }, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: adminKeys.userNotes(userId) }),
  });
}

/** Suspends an account, or lets it in again. */
export function useSetSuspension(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { suspended: boolean; reason?: string }) =>
      call(moderationApi.setSuspension, { params: { id }, body }),
    onSuccess: async (_, { suspended }) => {
      toast.success(suspended ? 'Account suspended.' : 'Account restored.');
      await Promise.all([
        cache.invalidateQueries({ queryKey: rootKeys.users }),
        cache.invalidateQueries({ queryKey: adminKeys.people() }),
        cache.invalidateQueries({ queryKey: adminKeys.audits() }),
      ]);
    },
  });
}

/** Removes the second factor of somebody who lost it. The form shows what was wrong. */
export function useRemoveSecondFactor(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: RemoveSecondFactor) =>
      call(secondFactorApi.removeOfUser, { params: { id }, body }),
    onSuccess: () => toast.success("Second factor removed. We've told them."),
    // Somebody else may have removed it.
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: adminKeys.people() }),
        cache.invalidateQueries({ queryKey: adminKeys.audits() }),
      ]),
  });
}

/** What was reported, newest first. */
export const reportsQuery = (filters: ReportFilters = {}) =>
  infiniteQueryOptions({
    queryKey: adminKeys.reportList(filters),
    queryFn: ({ pageParam, signal }) =>
      call(moderationApi.reports, {
        query: { ...filters, limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** A reported message with the few around it. */
export const reportedMessagesQuery = (reportId: string) =>
  queryOptions({
    queryKey: adminKeys.reportedMessages(reportId),
    queryFn: async ({ signal }) =>
      (await call(moderationApi.reportedMessages, { params: { id: reportId }, signal })).data,
  });

/** Settles a report. */
export function useSettleReport(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { outcome: ReportOutcome; note?: string }) =>
      call(moderationApi.settleReport, { params: { id }, body }),
    onSuccess: () => {
      toast.success("Report settled. We'll tell whoever made it.");
      return cache.invalidateQueries({ queryKey: adminKeys.reports() });
    },
    onError: (error) => {
      toastError(error);
      // Somebody else may have settled it.
      void cache.invalidateQueries({ queryKey: adminKeys.reports() });
    },
  });
}

/** The products that admins have hidden, the last changed first. */
export const hiddenProductsQuery = () =>
  infiniteQueryOptions({
    queryKey: adminKeys.hiddenProducts(),
    queryFn: ({ pageParam, signal }) =>
      call(adminApi.hiddenProducts, { query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    ...paging,
  });

/** Hides a product, or shows it again. */
export function useSetProductHiding(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<SetProductHiding> & Pick<SetProductHiding, 'hidden'>) =>
      call(productsApi.setHiding, { params: { id }, body }),
    onSuccess: async (_, { hidden }) => {
      toast.success(hidden ? "Product hidden. We've told the farmer." : 'Product shown again.');
      await Promise.all([
        cache.invalidateQueries({ queryKey: rootKeys.products }),
        cache.invalidateQueries({ queryKey: adminKeys.people() }),
      ]);
    },
  });
}
