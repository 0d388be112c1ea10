export function SessionPage() {
  return (
    <div class="page">
      <h1>Session</h1>
    </div>
  );
}
