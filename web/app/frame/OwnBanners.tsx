import { MailX } from 'lucide-react';
import { Link } from 'wouter';
import { readableEmail } from '#contract/platform/http/email';
import type { SignedInUser } from '#contract/platform/session/constants';
import { t } from '#contract/platform/text/constants/texts';
import { PauseBanner } from '../../farm/pause/PauseBanner.tsx';
import { rich } from '../../platform/format/rich.tsx';
import { mayForFarm } from '../../platform/session/session.ts';

/** Where somebody corrects their own address. Admins have no profile page. */
const pageOf = ({ role }: SignedInUser): string =>
  role === 'admin' ? '/admin/security' : '/profile';

/** Says on every page that no mail reaches its reader, and leads to where that is mended. */
export function UnreachableBanner({ user }: { user: SignedInUser }) {
  return (
    <section
      aria-label={t('Your email')}
      data-print="hide"
      className="border-b border-hairline bg-straw-soft text-ink"
    >
      <div className="wrap flex items-start gap-2.5 py-2 text-sm">
        <MailX aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <p className="min-w-0 wrap-anywhere">
          {t("We can't reach {email}:", { email: readableEmail(user.email) })}{' '}
          {rich('<a>correct it</a>. Until then you get no email from us.', {
            a: (inner) => (
              <Link href={pageOf(user)} className="link inline-block py-0.5">
                {inner}
              </Link>
            ),
          })}
        </p>
      </div>
    </section>
  );
}

/** What everyone who is signed in has to know of their own account and farm, on every page. */
export default function OwnBanners({ user }: { user: SignedInUser }) {
  return (
    <>
      {user.isEmailUnreachable && <UnreachableBanner user={user} />}
      {mayForFarm(user, 'read') && <PauseBanner />}
    </>
  );
}
