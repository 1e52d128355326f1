import { useQuery } from '@tanstack/react-query';
import { t } from '#contract/platform/text/constants/texts';
import { farmIdOf, useAuth } from '../../platform/session/session.ts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { farmerQuery } from './queries.ts';

/** Shows the people of a farm that it is off the market for now, and what still works. */
export function OffMarketNotice() {
  const { user } = useAuth();
  const farmId = farmIdOf(user);
  const farm = useQuery({ ...farmerQuery(farmId ?? ''), enabled: farmId !== undefined });
  if (!farm.data?.isSuspended) return null;
  return (
    <Alert kind="warning" className="mb-4">
      <p className="font-medium">{t('Your farm is off the market for now')}</p>
      <p>
        {t(
          'The people who run the market have suspended it: no one finds it or orders from it. You can still see and finish the orders you have.',
        )}
      </p>
    </Alert>
  );
}
