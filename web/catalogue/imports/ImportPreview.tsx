import { useState } from 'react';
import type { ImportRow, ProductImport } from '#contract/catalogue/imports/imports';
import { nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { formatCount, listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { ChooseFile } from './ChooseFile.tsx';
import { fileOf, useApplyImport, useUploadImport } from './commands.ts';

/** How many rows of a group are shown until all are asked for. */
const SHOWN = 50;

/** What a file of products would change, or how far its writing is. */
export function ImportPreview({
  found,
  onUploaded,
}: {
  found: ProductImport;
  /** Goes to what another file, or the same read otherwise, would change. */
  onUploaded: (id: string) => void;
}) {
  return (
    <div className="grid gap-6">
      {found.state === 'asking' ? (
        <Question found={found} onUploaded={onUploaded} />
      ) : (
        <>
          <Work found={found} onUploaded={onUploaded} />
          <Groups rows={found.rows} />
        </>
      )}
    </div>
  );
}

const SEPARATORS: Record<ProductImport['separator'], Message> = {
  ',': msg('cells apart by commas'),
  ';': msg('cells apart by semicolons'),
  '\t': msg('cells apart by tabs'),
};
const DECIMALS: Record<NonNullable<ProductImport['decimal']>, Message> = {
  point: msg('a point before decimals'),
  comma: msg('a comma before decimals'),
};

function ReadAs({ found }: { found: ProductImport }) {
  const { encoding, separator, decimal } = found;
  const parts = [encoding.toUpperCase(), writeMessage(SEPARATORS[separator])];
  if (decimal) parts.push(writeMessage(DECIMALS[decimal]));
  return (
    <p className="text-sm text-ink-soft">
      {t('Read as {parts}.', { parts: listOf(parts, 'unit') })}
    </p>
  );
}

/** Asks how numbers are to be read that can be read both ways. */
function Question({ found, onUploaded }: Parameters<typeof ImportPreview>[0]) {
  const upload = useUploadImport();
  const { question, _id } = found;
  const file = fileOf(_id);
  if (!question) return null;
  const answer = (decimal: 'point' | 'comma') => () => {
    if (file) upload.mutate({ file, decimal }, { onSuccess: ({ data }) => onUploaded(data._id) });
  };
  return (
    <Card as="section" aria-labelledby="numbers">
      <CardHeader id="numbers" title={t('Which number is “{cell}”?', { cell: question.cell })} />
      <p className="mb-4 max-w-prose text-sm">
        {t(
          'It stands in line {line, number}, under “{column}”. All numbers of this file are then read so.',
          { line: question.line, column: question.column },
        )}
      </p>
      <ReadAs found={found} />
      {file ? (
        <div className="mt-4 flex flex-wrap gap-3">
          {(['point', 'comma'] as const).map((decimal) => (
            <Button
              key={decimal}
              variant="secondary"
              pending={upload.isPending && upload.variables.decimal === decimal}
              disabled={upload.isPending}
              onClick={answer(decimal)}
            >
              {decimal === 'point'
                ? t('{value, number}: the point is before decimals', { value: question.point })
                : t('{value, number}: the comma is before decimals', { value: question.comma })}
            </Button>
          ))}
        </div>
      ) : (
        <div className="mt-4 grid gap-3">
          <p className="text-sm">{t('Choose the file again to answer.')}</p>
          <ChooseFile onUploaded={({ _id: id }) => onUploaded(id)} />
        </div>
      )}
    </Card>
  );
}

/** What can be done with a file that was read: to write it, or to see how far it is. */
function Work({ found, onUploaded }: Parameters<typeof ImportPreview>[0]) {
  const { state, done, total, rows, _id } = found;
  const apply = useApplyImport(_id);
  const [leavesOut, setLeavesOut] = useState(false);
  const refused = rows.filter(({ outcome }) => outcome === 'refused').length;
  const notWritten = rows.filter(({ result }) => result && result !== 'written').length;
  return (
    <Card as="section" aria-labelledby="work" className="grid gap-4">
      <CardHeader id="work" title={t('What the file changes')} className="mb-0" />
      <ReadAs found={found} />
      {state === 'ready' && (
        <>
          {refused > 0 && (
            <Checkbox
              hint={t('Or mend them in the file, and choose it again.')}
              label={t(
                'Leave out {refused, plural, one {the row that is refused} other {the # rows that are refused}}',
                { refused },
              )}
              checked={leavesOut}
              onChange={(event) => setLeavesOut(event.target.checked)}
            />
          )}
          <div className="flex flex-wrap gap-3">
            <Button
              pending={apply.isPending}
              disabled={refused > 0 && !leavesOut}
              onClick={() => apply.mutate(leavesOut ? { leavesOutRefused: true } : {})}
            >
              {t('Write {total, plural, one {# product} other {# products}}', { total })}
            </Button>
          </div>
          <p className="max-w-prose text-sm text-ink-soft">
            {t(
              'Products that are not in the file stay as they are. What is sold until then stays sold.',
            )}
          </p>
        </>
      )}
      {(state === 'applying' || (state === 'done' && total > 0)) && (
        <div className="grid gap-2">
          <progress
            value={done}
            max={total}
            aria-label={t('Products written')}
            className="h-2 w-full accent-leaf"
          />
          <p role="status" className="text-sm">
            {state === 'applying'
              ? t('{done, number} of {total, number} products are done.', { done, total })
              : t('Done: {total, plural, one {# product} other {# products}}.', { total })}
          </p>
        </div>
      )}
      {state === 'done' && total === 0 && refused > 0 && (
        <Alert kind="warning">
          {t(
            'Nothing of this file can be written. Below is why: mend it there, and choose it again.',
          )}
        </Alert>
      )}
      {state === 'done' && total === 0 && refused === 0 && (
        <Alert kind="info">
          {t('There is nothing to change: your products are as in the file.')}
        </Alert>
      )}
      {notWritten > 0 && (
        <Alert kind="warning">
          {t(
            '{notWritten, plural, one {# row was} other {# rows were}} not written. Below is why.',
            {
              notWritten,
            },
          )}
        </Alert>
      )}
      {state !== 'applying' && (
        <details>
          <summary className="-my-3 cursor-pointer py-3 text-sm font-medium">
            {t('Choose another file')}
          </summary>
          <div className="mt-3">
            <ChooseFile onUploaded={({ _id: id }) => onUploaded(id)} />
          </div>
        </details>
      )}
    </Card>
  );
}

const isLeft = ({ result }: ImportRow): boolean => result === 'edited' || result === 'refused';

const GROUPS: { title: Message; isOpen: boolean; belongs: (row: ImportRow) => boolean }[] = [
  { title: msg('Not written'), isOpen: true, belongs: isLeft },
  { title: msg('Refused'), isOpen: true, belongs: ({ outcome }) => outcome === 'refused' },
  {
    title: msg('Changed'),
    isOpen: true,
    belongs: (row) => row.outcome === 'changed' && !isLeft(row),
  },
  { title: msg('New'), isOpen: true, belongs: (row) => row.outcome === 'new' && !isLeft(row) },
  {
    title: msg('Nothing to change'),
    isOpen: false,
    belongs: ({ outcome }) => outcome === 'unchanged',
  },
];

function Groups({ rows }: { rows: readonly ImportRow[] }) {
  return GROUPS.map(({ title, isOpen, belongs }) => {
    const own = rows.filter(belongs);
    return own.length === 0 ? null : (
      <details key={title.text} open={isOpen} className="rounded border border-hairline bg-surface">
        <summary className="cursor-pointer p-4">
          <h2 className="inline text-lg">{writeMessage(title)}</h2>{' '}
          <span className="text-ink-soft">{formatCount(own.length)}</span>
        </summary>
        <Rows rows={own} />
      </details>
    );
  });
}

function Rows({ rows }: { rows: readonly ImportRow[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  return (
    <>
      <ul className="divide-y divide-hairline border-t border-hairline">
        {shown.map((row) => (
          <li
            key={row.line}
            className="grid gap-1 px-4 py-3 text-sm [contain-intrinsic-size:auto_4rem] [content-visibility:auto]"
          >
            <p className="flex flex-wrap gap-x-2">
              <bdi className="font-medium wrap-anywhere">
                {nameWithSize(row.name, row.size ? { label: row.size } : undefined)}
              </bdi>
              <span className="text-ink-soft">{t('line {line, number}', { line: row.line })}</span>
              {row.result === 'written' && <span>{t('written')}</span>}
            </p>
            {row.reason && (
              <p className="wrap-anywhere text-tomato-ink">
                {row.column
                  ? t('{column}: {reason}', { column: row.column, reason: row.reason })
                  : row.reason}
              </p>
            )}
            {row.cells && row.cells.length > 0 && <Cells cells={row.cells} />}
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <div className="border-t border-hairline p-4">
          <Button variant="secondary" onClick={() => setWhole(true)}>
            {t('Show all {count, number} rows', { count: rows.length })}
          </Button>
        </div>
      )}
    </>
  );
}

/** The cells of a row that differ: what they are, and what they would be. */
function Cells({ cells }: { cells: NonNullable<ImportRow['cells']> }) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1">
      {cells.map(({ column, from, to }) => (
        <div key={column} className="flex min-w-0 flex-wrap gap-x-1.5">
          <dt className="text-ink-soft">{column}</dt>
          <dd className="line-clamp-3 min-w-0 wrap-anywhere">
            {from !== '' && (
              <>
                <del>
                  <bdi>{from}</bdi>
                </del>{' '}
                <span aria-hidden="true" className="rtl:inline-block rtl:-scale-x-100">
                  →
                </span>{' '}
              </>
            )}
            <ins className="no-underline">
              <bdi>{to === '' ? t('nothing') : to}</bdi>
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
