export default function LandingPage() {
  return <main><h1>Tutorlog</h1></main>
}
