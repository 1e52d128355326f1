import type { ComponentProps } from 'react';
import type { PagedQuery } from '../platform/ui/lists/LoadMore.tsx';
import { LoadMore } from '../platform/ui/lists/LoadMore.tsx';

/** Loads the next page of a list. */
export const NextPage = ({
  query,
  ...rest
}: { query: PagedQuery } & Pick<ComponentProps<typeof LoadMore>, 'href'>) => (
  <LoadMore
    hasMore={query.hasNextPage}
    pending={query.isFetchingNextPage}
    failed={query.isFetchNextPageError}
    onMore={query.fetchNextPage}
    {...rest}
  />
);
