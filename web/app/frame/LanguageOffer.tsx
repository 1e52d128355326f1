import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import { msg } from '#contract/platform/text/constants/texts';
import { rememberLanguage, useChooseLanguage } from '../../people/users/LanguageChoice.tsx';
import { loadOffer } from '../../platform/format/catalogues.ts';
import { browsersChoice, ownChoice } from '../../platform/format/language.ts';

// Each language speaks of itself: 'Diese Seite auf Deutsch lesen'.
const READ = msg('Read this page in English');
const NO = msg('No, thanks');

/**
 * Offers the language that the browser prefers, in that language, where nobody has chosen one: a public page has that
 * of its address. It floats, so that nothing moves when it comes and goes.
 */
export default function LanguageOffer() {
  const choose = useChooseLanguage();
  const { language: present } = theReader();
  const offered = ownChoice() === undefined ? browsersChoice() : undefined;
  const isOther = offered !== undefined && offered !== present;
  const [offer, setOffer] = useState<{ language: string; read: string; no: string } | null>(null);
  useEffect(() => {
    if (!isOther) return;
    let isWanted = true;
    void loadOffer(offered).then(
      (find) => {
        const write = ({ text }: typeof READ) => find(text) ?? text;
        if (isWanted) setOffer({ language: offered, read: write(READ), no: write(NO) });
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [isOther, offered]);
  if (!isOther || offer?.language !== offered) return null;
  const { read, no } = offer;
  return (
    <div
      lang={offered}
      dir={directionOf(offered)}
      data-print="hide"
      className="pointer-events-none fixed inset-x-0 top-(--top-bar-height) z-20 flex justify-center px-3 pt-1.5"
    >
      <p className="pointer-events-auto flex items-center gap-1 rounded-full border border-hairline bg-raised ps-4 pe-1 text-sm shadow-float animate-fade-in">
        <button type="button" onClick={() => void choose(offered)} className="link min-h-11">
          {read}
        </button>
        <button
          type="button"
          aria-label={no}
          onClick={() => {
            rememberLanguage(present);
            setOffer(null);
          }}
          className="grid size-11 place-items-center rounded-full hover:bg-sunken"
        >
          <X className="size-4" />
        </button>
      </p>
    </div>
  );
}
