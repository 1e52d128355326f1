import { useMutation, useQueryClient } from '@tanstack/react-query';
import { marketPagesApi } from '#contract/admin/market-pages/constants';
import type { Announce, SaveMarketPage } from '#contract/admin/market-pages/market-pages';
import { type MarketPageSlug, marketApi } from '#contract/platform/market/constants';
import type { UpdateMarket } from '#contract/platform/market/market';
import { call } from '../../platform/api/api.ts';
import { toast, toastError, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { keepMarket } from './keep-market.ts';
import { marketKeys } from './keys.ts';

/** Changes settings of the market. Every screen shows them at once. */
export function useSaveMarket() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateMarket) => call(marketApi.update, { body }),
    onSuccess: ({ data }) => {
      keepMarket(cache, data);
      toast.success('Market settings saved.');
    },
  });
}

/** Writes a text of the market. */
export function useSavePage(slug: MarketPageSlug) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: SaveMarketPage) => call(marketPagesApi.save, { params: { slug }, body }),
    onSuccess: ({ data }) => {
      cache.setQueryData(marketKeys.page(slug), data);
      toast.success('The page is saved.');
    },
    onError: toastErrorOfEdit,
  });
}

/** Takes a text of the market away. */
export function useRemovePage() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (slug: MarketPageSlug) => call(marketPagesApi.remove, { params: { slug } }),
    onSuccess: (_, slug) => {
      cache.removeQueries({ queryKey: marketKeys.page(slug) });
      toast.success('The page is gone.');
    },
    onError: toastError,
  });
}

/** Announces something to everybody, or takes the announcement away. */
export function useAnnounce() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Announce) => call(marketPagesApi.announce, { body }),
    onSuccess: ({ data }) => {
      keepMarket(cache, data);
      toast.success(data.announcement ? 'Everybody sees it now.' : 'The announcement is gone.');
    },
    onError: toastErrorOfEdit,
  });
}
