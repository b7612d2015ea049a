// Something that is asked of the server: whether it is under way, and what went wrong.

export class Attempt {
  busy = $state(false);
  trouble = $state("");

  /** What comes of it; null if it fails, and `trouble` says why. */
  async make<T>(work: () => Promise<T>): Promise<T | null> {
    this.busy = true;
    this.trouble = "";
    try {
      return await work();
    } catch (error) {
      this.trouble = (error as Error).message;
      return null;
    } finally {
      this.busy = false;
    }
  }
}
