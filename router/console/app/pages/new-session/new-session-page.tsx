export function NewSessionPage() {
  return (
    <div class="page">
      <h1>New session</h1>
    </div>
  );
}
