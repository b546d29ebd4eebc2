// Loaded before the server by `npm start`. npm runs a script through a shell, and a shell that is
// told to end (by a process manager that knows npm only) leaves the server behind without a word.
const parent = process.ppid;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 200);
watch.unref();
