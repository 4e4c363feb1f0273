/** A link to a section of the help page, which is a separate HTML file outside the app. */
export function HelpLink({ topic, children }: { topic: string; children: string }) {
  return (
    <a className="link inline-flex min-h-11 items-center" href={`/help#${topic}`}>
      {children}
    </a>
  )
}
