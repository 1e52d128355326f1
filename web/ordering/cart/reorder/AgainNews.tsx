import { useAtom } from 'jotai';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { againNewsAtom } from '../atoms.ts';

/** Says what has changed since the order that was put into the cart again. */
export function AgainNews() {
  const [sentences, setSentences] = useAtom(againNewsAtom);
  if (sentences.length === 0) return null;
  return (
    <Alert kind="info" className="animate-fade-in">
      <p className="font-semibold">Some things have changed since your order</p>
      <ul className="my-2 grid list-disc gap-1 pl-5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Button variant="secondary" size="sm" onClick={() => setSentences([])}>
        All right
      </Button>
    </Alert>
  );
}
