import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** Stands for MongoDB in memory, with an oplog. It prints its port, and ends with its input. */
class Server {
  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend());
    server.enableOplog();
    System.out.println(server.bind().getPort());
    while (System.in.read() >= 0) {}
    server.shutdownNow();
  }
}
