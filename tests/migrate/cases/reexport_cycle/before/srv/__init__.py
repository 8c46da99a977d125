from srv import a
