/**
 * Loaded into every program that a command starts (`node --import`): when that command is gone without a
 * word, as after a SIGKILL, the channel to it closes, and the program ends itself as if told to. The
 * processes that such a program forks in turn are its own to end.
 */
if (process.channel && process.env.NODE_UNIQUE_ID === undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
