import { Alert } from '../ui/feedback/Alert.tsx';

/** What is wrong with a field of pictures, and why pictures could not be uploaded. */
export function UploadProblems({
  error,
  problems,
}: {
  error: string | undefined;
  problems: readonly string[];
}) {
  if (!error && problems.length === 0) return null;
  return (
    <Alert kind="error">
      {error && <p>{error}</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Alert>
  );
}
