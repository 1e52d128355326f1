import { useQuery } from '@tanstack/react-query';
import { BellPlus, BellRing } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { signInHref, useSignIn } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { stockAlertQuery } from './queries.ts';

const LABEL = msg("Tell me when it's back");

/**
 * What customers press at a sold-out product to be notified when it is back. Links visitors to the sign-in, after which
 * it is pressed (`?alert=on`). Not for farmers and admins.
 */
export function StockAlert({ productId }: { productId: string }) {
  const { user } = useAuth();
  if (user && user.role !== 'consumer') return null;
  return (
    <div className="needs-scripts flex flex-wrap items-center gap-x-3 gap-y-1.5">
      {user ? <Switch productId={productId} /> : <SignInLink />}
    </div>
  );
}

function SignInLink() {
  const [path] = useLocation();
  const signIn = useSignIn();
  const pressed = `${path}?alert=on`;
  return (
    <>
      <LinkButton
        variant="secondary"
        icon={<BellPlus />}
        // The address is for a new tab; in this one the history entry says where to return.
        href={signInHref('/login', pressed)}
        onClick={(event) => {
          event.preventDefault();
          signIn(pressed);
        }}
      >
        {writeMessage(LABEL)}
      </LinkButton>
      <Hint isSet={false} />
    </>
  );
}

function Switch({ productId }: { productId: string }) {
  const query = useQuery(stockAlertQuery(productId));
  const { mutate, isPending, variables } = useSetStockAlert(productId);
  const [asked, setAsked] = useSearchParam('alert');
  const isSet = isPending ? variables : (query.data?.isSet ?? false);

  // Pressed before the sign-in.
  useEffect(() => {
    if (asked !== 'on') return;
    setAsked('');
    mutate(true);
  });

  return (
    <>
      <Button
        variant="secondary"
        icon={isSet ? <BellRing /> : <BellPlus />}
        pending={isPending}
        aria-pressed={isSet}
        onClick={() => mutate(!isSet)}
        className="aria-pressed:border-leaf aria-pressed:bg-leaf-soft aria-pressed:text-leaf-ink"
      >
        {writeMessage(LABEL)}
      </Button>
      <Hint isSet={isSet} />
    </>
  );
}

function Hint({ isSet }: { isSet: boolean }) {
  return (
    <p role="status" className="text-sm text-ink-soft">
      {isSet ? t("We'll send you one message.") : t('One message, as soon as there is some.')}
    </p>
  );
}

/** Asks to be notified when a product is back in stock, or no longer asks. */
const useSetStockAlert = (productId: string) =>
  useCommand(
    (isSet: boolean) =>
      call(stockAlertsApi.setAlert, { params: { id: productId }, body: { isSet } }),
    // Until then the button shows what was chosen.
    { invalidates: stockAlertQuery(productId).queryKey },
  );
