import type { Ref } from 'react';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { type LineNews, newsSentence } from './reconcile.ts';

/** Shows what changed since the cart was filled, with a button that applies the changes. */
export function CartNews({
  news,
  onAccept,
  ref,
}: {
  news: readonly LineNews[];
  onAccept: () => void;
  ref?: Ref<HTMLDivElement>;
}) {
  // The live region is rendered before its text, so that screen readers announce the text.
  return (
    <div ref={ref} tabIndex={-1} role="status" data-quiet-focus="" className="empty:hidden">
      {news.length > 0 && (
        <Alert kind="warning" className="animate-fade-in">
          <p className="font-semibold">Some things in your cart have changed</p>
          <ul className="my-2 grid list-disc gap-1 pl-5">
            {news.map((each) => (
              <li key={each.line.productId}>{newsSentence(each)}</li>
            ))}
          </ul>
          <Button variant="secondary" size="sm" onClick={onAccept}>
            Update my cart
          </Button>
        </Alert>
      )}
    </div>
  );
}
