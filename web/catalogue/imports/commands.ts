import { type DecimalSign, importsApi } from '#contract/catalogue/imports/constants';
import type { ProductImport } from '#contract/catalogue/imports/imports';
import { theMarket } from '#contract/platform/market/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { apiUrl, call, readAnswer, request } from '../../platform/api/api.ts';
import { downloadFile, fetchFile } from '../../platform/api/download.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { readToken } from '../../platform/session/session.ts';
import { keepImport } from './queries.ts';

/** The file of an import that was uploaded from this page, in case a question about it is answered. */
let uploaded: { id: string; file: File } | undefined;

/** Returns the file of an import, where it was chosen since the page was loaded. */
export const fileOf = (id: string): File | undefined =>
  uploaded?.id === id ? uploaded.file : undefined;

interface Upload {
  file: File;
  decimal?: DecimalSign;
}

/** Uploads a file of products, to be compared with what the farm has. */
export const useUploadImport = () =>
  useCommand(
    ({ file, decimal }: Upload): Promise<{ data: ProductImport }> => {
      const { method, path } = importsApi.upload;
      const body = new FormData();
      body.append('file', file);
      const token = readToken();
      return request(
        apiUrl(path, { query: { decimal } }),
        { method, token, body },
        async (answer) => readAnswer(answer, await answer.text(), token),
      );
    },
    {
      onSuccess: (cache, { data }, { file }) => {
        uploaded = { id: data._id, file };
        keepImport(cache, data);
      },
    },
  );

/** Lets the market write what a file changes. */
export const useApplyImport = (id: string) =>
  useCommand(
    (body: { leavesOutRefused?: true }) => call(importsApi.apply, { params: { id }, body }),
    { onSuccess: (cache, { data }) => keepImport(cache, data) },
  );

/** Downloads the farm's products as a file. */
export const useDownloadProducts = () =>
  useCommand(() => fetchFile(importsApi.download.path), {
    onSuccess: (_, file) =>
      downloadFile(marketFileName(`products-${dayIn(theMarket().timeZone)}.csv`), file),
    done: t('Your products are downloaded.'),
  });
