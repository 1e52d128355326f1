import { t } from '#contract/platform/text/constants/texts';
import { FarmLandscape } from '../../platform/ui/art/FarmLandscape.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';

/** The call to register at the end of a page. */
export const CallToAction = ({
  title = t('There is a place for you at the gate'),
  text = t(
    'Open an account to order from the farms around you, or to sell what yours grows. It takes a minute and costs nothing.',
  ),
  second = { href: '/about', label: t('How it works') },
}: {
  title?: string;
  text?: string;
  second?: { href: string; label: string };
}) => (
  <section aria-labelledby="join-title" className="wrap defer-paint-140 md:defer-paint-85">
    <div className="grid overflow-hidden rounded bg-leaf-soft md:grid-cols-[1.1fr_1fr]">
      <div className="grid content-center gap-4 px-5 py-10 sm:px-10 sm:py-14">
        <h2 id="join-title" className="text-3xl">
          {title}
        </h2>
        <p className="max-w-prose text-ink-soft">{text}</p>
        <div className="flex flex-wrap gap-3 pt-2">
          <LinkButton href="/register" size="lg">
            {t('Create an account')}
          </LinkButton>
          <LinkButton href={second.href} variant="quiet" size="lg" className="hover:bg-surface">
            {second.label}
          </LinkButton>
        </div>
      </div>
      <FarmLandscape name="Evening by the hills" className="aspect-2/1 h-full md:aspect-auto" />
    </div>
  </section>
);
