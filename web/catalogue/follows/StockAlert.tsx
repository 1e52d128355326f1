import { useQuery } from '@tanstack/react-query';
import { BellPlus, BellRing } from 'lucide-react';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/constants';
import { msg, t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { useAuth } from '../../platform/session/session.ts';
import { stockAlertQuery } from './queries.ts';
import { type Wish, WishButton, WishSignIn } from './Wish.tsx';

const ALERT: Wish = {
  param: 'alert',
  label: msg("Tell me when it's back"),
  icon: <BellPlus />,
  setIcon: <BellRing />,
  hint: (isSet) =>
    isSet ? t("We'll send you one message.") : t('One message, as soon as there is some.'),
};

/**
 * What customers press at a sold-out product to be notified when it is back. Links visitors to the sign-in, after which
 * it is pressed (`?alert=on`). Not for farmers and admins.
 */
export function StockAlert({ productId }: { productId: string }) {
  const { user } = useAuth();
  if (!user) return <WishSignIn wish={ALERT} />;
  return user.role === 'consumer' ? <Switch productId={productId} /> : null;
}

function Switch({ productId }: { productId: string }) {
  const query = useQuery(stockAlertQuery(productId));
  const { mutate, isPending, variables } = useCommand(
    (isSet: boolean) =>
      call(stockAlertsApi.setAlert, { params: { id: productId }, body: { isSet } }),
    // Until then the button shows what was chosen.
    { invalidates: stockAlertQuery(productId).queryKey },
  );
  const isSet = isPending ? variables : (query.data?.isSet ?? false);
  return <WishButton wish={ALERT} isSet={isSet} pending={isPending} onSet={mutate} />;
}
