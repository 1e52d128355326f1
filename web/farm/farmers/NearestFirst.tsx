import { atom, useAtom } from 'jotai';
import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import { toRoughPosition } from '#contract/farm/places/constants/positions';
import type { Position } from '#contract/farm/places/places';
import { t } from '#contract/platform/text/constants/texts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { askWhere } from '../model/geolocation.ts';

/** About where the reader is, while the tab is open; null until they ask for it. It is sent and stored nowhere. */
const hereAtom = atom<Position | null>(null);

/** Returns about where the reader is, whether that is being asked, and why it is not known; and what asks or forgets. */
export function useHere() {
  const [here, setHere] = useAtom(hereAtom);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const toggle = async () => {
    setProblem(undefined);
    if (here) return setHere(null);
    setAsking(true);
    try {
      setHere(toRoughPosition(await askWhere({ isExact: false })));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setAsking(false);
    }
  };
  return { here, isAsking, problem, toggle };
}

/** Sorts a list by how far from the reader it is, or no longer. */
export function NearestFirst({
  here,
  isAsking,
  toggle,
}: Pick<ReturnType<typeof useHere>, 'here' | 'isAsking' | 'toggle'>) {
  return (
    <Button
      variant="secondary"
      icon={<LocateFixed />}
      aria-pressed={here !== null}
      pending={isAsking}
      onClick={toggle}
      className="needs-scripts aria-pressed:border-leaf aria-pressed:text-leaf"
    >
      {t('Nearest first')}
    </Button>
  );
}
