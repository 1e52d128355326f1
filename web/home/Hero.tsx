import { LinkButton } from '../ui/primitives/Button.tsx';
import { HeroScene } from './HeroScene.tsx';

/** The hero section of the home page. */
export function Hero() {
  return (
    <section
      aria-labelledby="hero-title"
      className="relative isolate overflow-hidden bg-(--scene-sky)"
    >
      <div className="wrap relative z-10 pt-10 sm:pt-16 md:min-h-[33rem] md:pt-20 lg:min-h-[36rem]">
        <div className="grid max-w-xl gap-5">
          <h1 id="hero-title" className="text-4xl">
            Good food grows near you.
          </h1>
          <p className="max-w-md text-base sm:text-lg">
            Order straight from the farm that grew it, and follow it from the field to your hands.
          </p>
          <div className="flex flex-wrap gap-3 pt-1">
            <LinkButton href="/products" size="lg">
              Shop Now
            </LinkButton>
            <LinkButton href="/farmers" variant="secondary" size="lg">
              Meet Our Farmers
            </LinkButton>
          </div>
        </div>
      </div>
      <HeroScene className="h-64 w-full sm:h-80 md:absolute md:inset-0 md:h-full" />
    </section>
  );
}
