// Loaded into a server before it starts (`--import`): kills it with SIGKILL the moment it logs that it reached a step.
// Its own process can't do anything afterward, as if the machine had lost its power.
const { KILL_AT } = process.env
const { log } = console
console.log = (...words: unknown[]) => {
  log(...words)
  if (KILL_AT && String(words[0]).includes(`"msg":"restoring","step":"${KILL_AT}"`))
    process.kill(process.pid, 'SIGKILL')
}
