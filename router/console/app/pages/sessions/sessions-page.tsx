export function SessionsPage() {
  return (
    <div class="page">
      <h1>Sessions</h1>
    </div>
  );
}
