/** The number to quote when asking about an error; one click selects it, to be copied. */
export function RequestId({ id }: { id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <p className="text-xs wrap-anywhere text-muted">
      Request <span className="select-all">{id}</span>
    </p>
  );
}
