/** The request id to quote when reporting an error. One click selects it for copying. */
export function RequestId({ id }: { id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <p className="text-xs wrap-anywhere text-muted">
      Request <span className="select-all">{id}</span>
    </p>
  );
}
